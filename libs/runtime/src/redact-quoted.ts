const LENGTH_MAX = 4_000;
const FRAMES = '\n    at ';

/**
 * Removes the text between quotes from a technical message, because servers and parsers quote the rejected
 * values (`Duplicate entry 'ann@example.org' for key …`). It removes everything from the first quote to the
 * last, because values may contain quotes, and to the end if the message was cut inside a quote. Stack frames
 * are kept.
 */
export function redactQuoted(text: string): string {
  const framesAt = text.indexOf(FRAMES);
  const head = framesAt < 0 ? text : text.slice(0, framesAt);
  const frames = framesAt < 0 ? '' : text.slice(framesAt);
  return `${head.replace(/(['"`])(?:[^]*\1|[^]*$)/g, '$1…$1')}${frames}`.slice(0, LENGTH_MAX);
}
