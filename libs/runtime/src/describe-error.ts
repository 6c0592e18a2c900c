import { redactQuoted } from './redact-quoted.js';

/**
 * The parts of an error that are logged. Everything else is left out, because drivers attach the statement
 * with all its values.
 */
export interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly errno?: number;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

const CAUSES_MAX = 3;
const FRAMES_MAX = 12;

export function describeError(thrown: unknown, causesLeft = CAUSES_MAX): ErrorDescription {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: typeof thrown === 'string' ? redactQuoted(thrown) : '' };
  const { code, errno } = thrown as { readonly code?: unknown; readonly errno?: unknown };
  const frames = thrown.stack?.split('\n').filter((line) => line.startsWith('    at ')).slice(0, FRAMES_MAX).join('\n') ?? '';
  return {
    type: thrown.name,
    message: redactQuoted(thrown.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(frames === '' ? {} : { stack: frames }),
    ...(thrown.cause === undefined || causesLeft === 0 ? {} : { cause: describeError(thrown.cause, causesLeft - 1) }),
  };
}
