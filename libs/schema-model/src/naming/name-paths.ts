/**
 * The first segments of paths that the data API itself serves. A table with such a name gets the path
 * `_tables/<name>`.
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
 * Returns the published path of every table. It is the table's name in kebab case, or `_tables/<name>` if
 * that is reserved or ambiguous. Characters that a URL or generated code would have to escape become hyphens,
 * if the resulting path is free. `published` contains the paths of the previous snapshot by table name. These
 * do not change, and new tables get other paths.
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
  const newTables = tables.filter((table) => !paths.has(table));
  const claims = countClaims(newTables.map(toKebab));
  const tablesWithSlug = newTables.filter((table) => toSlug(table) !== toKebab(table));
  const slugs = countClaims(tablesWithSlug.map(toSlug));
  const names = new Set(tables);
  // A table can also be addressed by its exact name, so the path of a table must not be the name of another
  // one.
  const isFree = (path: string, table: string): boolean =>
    !taken.has(path) && (path === table || !names.has(path)) && isServable(path);
  for (const table of newTables) {
    const kebab = toKebab(table);
    const slug = toSlug(table);
    // If two tables would get the same path, the one whose name needs no replaced characters gets it.
    const isSlugFree = slug !== kebab && slugs.get(slug) === 1 && !claims.has(slug) && isFree(slug, table);
    if (isSlugFree) paths.set(table, slug);
    else paths.set(table, claims.get(kebab) === 1 && isFree(kebab, table) ? kebab : `_tables/${table}`);
  }
  return paths;
}

/**
 * Returns the tables whose paths contain hyphens in place of characters that would be escaped. They are
 * grouped by the path that retains these characters, such as `my odd-table` for `my odd_table`. This path
 * works too, unless it is the path or name of another table.
 */
export function listUnescapedPaths(
  tables: readonly { readonly name: string; readonly path: string }[],
): Map<string, string> {
  const tablesWithSlug = tables.filter(
    ({ name, path }) => path !== name && path !== toKebab(name) && path === toSlug(name),
  );
  if (tablesWithSlug.length === 0) return new Map();
  const claims = countClaims(tablesWithSlug.map(({ name }) => toKebab(name)));
  const taken = new Set(tables.flatMap(({ name, path }) => [name, path]));
  return new Map(
    tablesWithSlug.flatMap(({ name }) => {
      const kebab = toKebab(name);
      return claims.get(kebab) === 1 && !taken.has(kebab) ? [[kebab, name] as const] : [];
    }),
  );
}

function toKebab(table: string): string {
  return table.replaceAll('_', '-');
}

/**
 * Returns the name of a table in kebab case, with a hyphen for each character other than letters, digits,
 * `.`, `~`, `$` and `-`.
 */
function toSlug(table: string): string {
  return toKebab(table).replace(/[^\p{L}\p{N}\p{M}.~$-]+/gu, '-');
}

function isServable(path: string): boolean {
  return !RESERVED_SEGMENTS.has(path) && path !== '.' && path !== '..';
}

function countClaims(paths: readonly string[]): Map<string, number> {
  const claims = new Map<string, number>();
  for (const path of paths) claims.set(path, (claims.get(path) ?? 0) + 1);
  return claims;
}

/**
 * Returns a table's published path in the form that a URL contains, such as `post-tags` or `_tables/na%20me`.
 */
export function toUrlPath(path: string): string {
  const long = '_tables/';
  if (path.startsWith(long)) return long + encodeURIComponent(path.slice(long.length));
  return encodeURIComponent(path);
}
