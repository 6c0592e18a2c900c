/** Matches characters with a meaning in a path template or a URL, and unprintable ones. */
const SYNTAX = /[%{}?#/\\\p{Cc}]/gu;
const LONG = '_tables/';

/**
 * Returns a table's path as a key of `paths`. Letters of every language stay unescaped: Spectral and
 * openapi-typescript
 * misread keys with percent escapes, and clients escape URLs themselves.
 */
export function toTemplatePath(path: string): string {
  const head = path.startsWith(LONG) ? LONG : '';
  return head + path.slice(head.length).replace(SYNTAX, (found) => encodeURIComponent(found));
}
