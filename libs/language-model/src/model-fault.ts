import { AppError } from '@rowhouse/errors';
import type { ModelOwner } from './types.js';

export type ModelFaultKind =
  /** The connection or the server failed. A retry may succeed. */
  | 'transport'
  /** The server has too many requests. A later retry may succeed. */
  | 'busy'
  | 'quota'
  | 'key'
  /** The address is one that this process must not connect to. */
  | 'address'
  | 'unknown_model'
  /** The server does not support this form of the request. */
  | 'form'
  | 'too_long'
  | 'refused'
  | 'truncated'
  | 'bad_output';

/**
 * The failure of one request. `stated` is the server's own text. It is used to adapt the next request and never
 * passed on.
 */
export class ModelFault extends Error {
  constructor(
    readonly kind: ModelFaultKind,
    readonly stated: string,
    /** The delay that the server asked for. Null when it named none. */
    readonly retryAfterMs: number | null = null,
    options: { readonly cause?: unknown } = {},
  ) {
    super(kind, options);
    this.name = 'ModelFault';
  }
}

const RULES_HINT = 'Questions are read by rules meanwhile ("engine": "rules"); ';
const HINTS: Readonly<Record<ModelOwner, string>> = {
  installation: `${RULES_HINT}the operator sets LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.`,
  project: `${RULES_HINT}an admin of the project sets its language model (PUT /api/projects/{id}/language-model).`,
};
const RETRY_SECONDS_MAX = 3_600;

/** Converts a fault to the error of the API. It contains no text of the server, no address and no key. */
export function toModelError(fault: ModelFault, owner: ModelOwner = 'installation'): AppError {
  const hint = HINTS[owner];
  const whose = `this ${owner}`;
  const seconds =
    fault.retryAfterMs === null
      ? null
      : Math.min(RETRY_SECONDS_MAX, Math.max(1, Math.ceil(fault.retryAfterMs / 1_000)));
  const common = { internal: `language model: ${fault.kind}`, cause: fault };
  const later = (fallback: number) => ({ ...common, retryAfterSeconds: seconds ?? fallback });
  switch (fault.kind) {
    case 'transport':
      return new AppError('llm.unavailable', later(5));
    case 'busy':
      return new AppError('llm.unavailable', {
        ...later(10),
        detail: 'The language model takes no more requests for now.',
      });
    case 'quota':
      return new AppError('llm.unavailable', {
        ...later(300),
        detail: 'The account at the language model has no credit left.',
        hint,
      });
    case 'key':
      return new AppError('llm.unavailable', {
        ...common,
        detail: `The language model does not accept the key of ${whose}.`,
        hint,
      });
    case 'address':
      return new AppError('llm.unavailable', {
        ...common,
        detail: `The address of the language model of ${whose} is not on the public internet.`,
        hint,
      });
    case 'unknown_model':
      return new AppError('llm.unavailable', {
        ...common,
        detail: `The model that ${whose} names is not known at its address.`,
        hint,
      });
    case 'form':
      return new AppError('llm.unavailable', {
        ...common,
        detail: 'The language model does not take requests of this form.',
        hint,
      });
    case 'too_long':
      return new AppError('llm.bad_output', {
        ...common,
        detail: 'The question and the schema together are longer than the language model reads.',
        hint: 'Ask with a key that is narrowed to fewer tables, or send an SQL SELECT.',
      });
    case 'refused':
      return new AppError('llm.refused', common);
    case 'truncated':
      return new AppError('llm.truncated', {
        ...common,
        hint: 'Ask for less at once, or send an SQL SELECT.',
      });
    case 'bad_output':
      return new AppError('llm.bad_output', common);
  }
}

/** Returns whether a shorter prompt may succeed. */
export function isPromptTooLong(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ModelFault && error.cause.kind === 'too_long';
}
