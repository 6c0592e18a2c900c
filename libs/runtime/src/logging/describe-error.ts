const LENGTH_MAX = 4_000;

const FRAMES = '\n    at ';
/**
 * The logged parts of an error. Other members are omitted, because drivers attach the statement with all its
 * values.
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

/**
 * Removes the text between quotes from a technical message, because servers and parsers quote rejected values
 * (`Duplicate entry 'ann@example.org' for key …`). It removes everything from the first quote to the last,
 * because values may contain quotes. If the message was cut inside a quote, it removes everything to the end.
 * Stack frames are retained.
 */
export function redactQuoted(text: string): string {
  const framesAt = text.indexOf(FRAMES);
  const head = framesAt < 0 ? text : text.slice(0, framesAt);
  const frames = framesAt < 0 ? '' : text.slice(framesAt);
  return `${head.replace(/(['"`])(?:[^]*\1|[^]*$)/g, '$1…$1')}${frames}`.slice(0, LENGTH_MAX);
}
