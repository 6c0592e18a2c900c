const FORM = /^([a-z][a-z0-9+.-]*):\/\/((?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?)\/?$/;
/** Browsers leave these ports out. */
const USUAL_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/**
 * Returns an origin as browsers send it: in small letters, without a slash at the end and without the usual port of its
 * scheme. Returns null for a text that is no origin, such as an address with a path.
 */
export function toOrigin(text: string): string | null {
  const small = text.trim().toLowerCase();
  // Pages in a sandbox and pages from files send this word.
  if (small === 'null') return small;
  const [, scheme = '', host = ''] = FORM.exec(small) ?? [];
  if (scheme === '') return null;
  const port = USUAL_PORT[scheme];
  return `${scheme}://${port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host}`;
}
