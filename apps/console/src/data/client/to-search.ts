/**
 * Returns a query string such as `?status=4xx&limit=50` without undefined members. Empty if all are
 * undefined.
 */
export function toSearch(members: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(members).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== '',
  );
  return set.length === 0
    ? ''
    : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}
