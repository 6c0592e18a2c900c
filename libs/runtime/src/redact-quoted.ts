const LENGTH_MAX = 4_000;
const FRAMES = '\n    at ';

/**
 * A technical message without what stands in it between quotes: servers and parsers quote the values they refuse
 * (`Duplicate entry 'ann@example.org' for key …`). From the first quote to the last, since values may hold quotes
 * themselves; to the end where a message was cut inside one. Stack frames are kept.
 */
export function redactQuoted(text: string): string {
  const framesAt = text.indexOf(FRAMES);
  const head = framesAt < 0 ? text : text.slice(0, framesAt);
  const frames = framesAt < 0 ? '' : text.slice(framesAt);
  return `${head.replace(/(['"`])(?:[^]*\1|[^]*$)/g, '$1…$1')}${frames}`.slice(0, LENGTH_MAX);
}
