const FORM = /^([a-z][a-z0-9+.-]*):\/\/((?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?)\/?$/;
/** The default port of each scheme. Browsers omit it from an origin. */
const USUAL_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/**
 * Returns an origin in the form in which browsers send it: in lower case, without a slash at the end and
 * without the default port of its scheme. Returns null for a text that is not an origin, such as a URL with a
 * path.
 */
export function toOrigin(text: string): string | null {
  const small = text.trim().toLowerCase();
  // For sandboxed pages and for pages from files, browsers send the word `null`.
  if (small === 'null') return small;
  const [, scheme = '', host = ''] = FORM.exec(small) ?? [];
  if (scheme === '') return null;
  const port = USUAL_PORT[scheme];
  return `${scheme}://${port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}
