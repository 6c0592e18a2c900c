/**
 * The target of a request as a path, which is all that the router knows: `http://host/path` is its path (RFC 9112), and
 * `*` and targets of other kinds become paths that no table has.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') || target.startsWith('?')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
