import { AppError, type ErrorCode } from '@rowhouse/errors';
import type { ModelOwner } from './types.js';

export type ModelFaultKind =
  /** The connection or the server failed. A retry may succeed. */
  | 'transport'
  /** The server has too many requests. A later retry may succeed. */
  | 'busy'
  | 'quota'
  | 'key'
  /** The address is one to which this process must not connect. */
  | 'address'
  | 'unknown_model'
  /** The server does not support this form of the request. */
  | 'form'
  | 'too_long'
  | 'refused'
  | 'truncated'
  | 'bad_output';

/**
 * The fault of one request. `stated` is the message of the server. It is used to change the form of the next
 * request, and is never passed on.
 */
export class ModelFault extends Error {
  constructor(
    readonly kind: ModelFaultKind,
    readonly stated: string,
    /** The delay in milliseconds that the server asked for. Null if it did not ask for any. */
    readonly retryAfterMs: number | null = null,
    options: { readonly cause?: unknown } = {},
  ) {
    super(kind, options);
    this.name = 'ModelFault';
  }
}

/** How a fault is reported to users. In a detail, `{owner}` is replaced with `installation` or `project`. */
interface FaultReport {
  readonly code: ErrorCode;
  readonly detail?: string;
  /**
   * A hint for the user. The value `settings` means a text about who can change the settings of the model,
   * and how.
   */
  readonly hint?: 'settings' | (string & {});
  /** The delay in seconds to report if the server did not ask for any. Absent if a retry does not help. */
  readonly retryAfterSeconds?: number;
}

const REPORTS: Readonly<Record<ModelFaultKind, FaultReport>> = {
  transport: { code: 'llm.unavailable', retryAfterSeconds: 5 },
  busy: {
    code: 'llm.unavailable',
    detail: 'The language model receives too many requests.',
    retryAfterSeconds: 10,
  },
  quota: {
    code: 'llm.unavailable',
    detail: 'The account at the language model provider has no credit left.',
    hint: 'settings',
    retryAfterSeconds: 300,
  },
  key: {
    code: 'llm.unavailable',
    detail: 'The language model rejected the API key of this {owner}.',
    hint: 'settings',
  },
  address: {
    code: 'llm.unavailable',
    detail: 'The address of the language model of this {owner} is not on the public internet.',
    hint: 'settings',
  },
  unknown_model: {
    code: 'llm.unavailable',
    detail:
      'The server of the language model does not have the model that this {owner} is configured to ' + 'use.',
    hint: 'settings',
  },
  form: {
    code: 'llm.unavailable',
    detail: 'The server of the language model rejects requests in the format of OpenAI chat completions.',
    hint: 'settings',
  },
  too_long: {
    code: 'llm.bad_output',
    detail: 'The question and the schema are too long for the language model.',
    hint: 'Use an API key that can access fewer tables, or send an SQL SELECT.',
  },
  refused: { code: 'llm.refused' },
  truncated: { code: 'llm.truncated', hint: 'Ask for less in one question, or send an SQL SELECT.' },
  bad_output: { code: 'llm.bad_output' },
};

const SETTINGS_HINTS: Readonly<Record<ModelOwner, string>> = {
  installation:
    'Questions with "engine": "rules" still work. ' +
    'The operator can change LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.',
  project:
    'Questions with "engine": "rules" still work. ' +
    'An admin can change the settings with PUT /api/projects/{id}/language-model.',
};
const RETRY_SECONDS_MAX = 3_600;

/**
 * Converts a fault to an API error. The error contains neither text from the model's server nor its address
 * or key.
 */
export function toModelError(fault: ModelFault, owner: ModelOwner = 'installation'): AppError {
  const { code, detail, hint, retryAfterSeconds: fallback } = REPORTS[fault.kind];
  const seconds =
    fault.retryAfterMs === null
      ? fallback
      : Math.min(RETRY_SECONDS_MAX, Math.max(1, Math.ceil(fault.retryAfterMs / 1_000)));
  return new AppError(code, {
    internal: `language model: ${fault.kind}`,
    cause: fault,
    ...(fallback === undefined ? {} : { retryAfterSeconds: seconds }),
    ...(detail === undefined ? {} : { detail: detail.replace('{owner}', owner) }),
    ...(hint === undefined ? {} : { hint: hint === 'settings' ? SETTINGS_HINTS[owner] : hint }),
  });
}

/** Reports whether the request failed because the prompt is too long. */
export function isPromptTooLong(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ModelFault && error.cause.kind === 'too_long';
}
