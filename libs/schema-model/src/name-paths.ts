/** First segments behind the prefix that the data API serves itself: a table of that name is reached by its long path. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set(['query', 'schema', 'health', 'openapi', 'openapi.json', 'docs', 'mcp']);

/**
 * The published path of every table: its name in kebab case, or `_tables/<name>` where that is reserved or not its alone.
 * `published`: paths of the predecessor by table name; they stay, and newcomers make way.
 */
export function namePaths(tables: readonly string[], published: ReadonlyMap<string, string>): Map<string, string> {
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
    // A raw name is served too: a newcomer's path must not take another table's address away.
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
