/** Returns a table's published path as it appears in a URL: `post-tags`, `_tables/na%20me`. */
export function toUrlPath(path: string): string {
  const long = '_tables/';
  if (path.startsWith(long)) return long + encodeURIComponent(path.slice(long.length));
  return encodeURIComponent(path);
}
