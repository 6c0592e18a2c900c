/**
 * The first path segments after the prefix that the data API itself serves.
 * A table of such a name is reached by its long path.
 */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  'query',
  'schema',
  'health',
  'openapi',
  'openapi.json',
  'docs',
  'mcp',
]);

/**
 * Returns the published path of every table: its name in kebab case, or `_tables/<name>` if that
 * is reserved or ambiguous. `published` has the predecessor's paths by table name. Those stay, and
 * new tables take other paths.
 */
export function namePaths(
  tables: readonly string[],
  published: ReadonlyMap<string, string>,
): Map<string, string> {
  const paths = new Map<string, string>();
  const taken = new Set<string>();
  for (const table of tables) {
    const path = published.get(table);
    if (path === undefined) continue;
    paths.set(table, path);
    taken.add(path);
  }
  const newcomers = tables.filter((table) => !paths.has(table));
  const claims = countClaims(newcomers);
  const names = new Set(tables);
  for (const table of newcomers) {
    const short = toKebab(table);
    // Tables are also served under their raw names, so the path of a new table must
    // not equal another table's name.
    const isOthersName = short !== table && names.has(short);
    const isFree = !taken.has(short) && claims.get(short) === 1 && !isOthersName && isServable(short);
    paths.set(table, isFree ? short : `_tables/${table}`);
  }
  return paths;
}

function toKebab(table: string): string {
  return table.replaceAll('_', '-');
}

function isServable(path: string): boolean {
  return !RESERVED_SEGMENTS.has(path) && path !== '.' && path !== '..';
}

function countClaims(tables: readonly string[]): Map<string, number> {
  const claims = new Map<string, number>();
  for (const table of tables) claims.set(toKebab(table), (claims.get(toKebab(table)) ?? 0) + 1);
  return claims;
}
