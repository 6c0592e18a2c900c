/**
 * Converts the target of a request to a path, the only form that the router supports. `http://host/path`
 * becomes its path (RFC 9112). `*` and other forms become paths that no table has.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') || target.startsWith('?')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
