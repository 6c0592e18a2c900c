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

export function describeError(error: unknown, causesLeft = CAUSES_MAX): ErrorDescription {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === 'string' ? redactQuoted(error) : '' };
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, FRAMES_MAX)
      .join('\n') ?? '';
  return {
    type: error.name,
    message: redactQuoted(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(frames === '' ? {} : { stack: frames }),
    ...(error.cause === undefined || causesLeft === 0
      ? {}
      : { cause: describeError(error.cause, causesLeft - 1) }),
  };
}
