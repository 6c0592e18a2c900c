import { readSqlTokens, type SqlToken } from './format-sql.js';

const BEFORE_TABLES: ReadonlySet<string> = new Set(['FROM', 'JOIN', 'UPDATE', 'INTO']);

/** Returns the known tables that a statement reads or writes, in the order of their first use. */
export function listTablesUsed(sql: string, known: readonly string[]): readonly string[] {
  const byName = new Map(known.map((name) => [name.toLowerCase(), name]));
  const tokens = readSqlTokens(sql).filter(({ kind }) => kind !== 'comment');
  const used = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const name = byName.get(readName(token).toLowerCase());
    if (name !== undefined && isTablePosition(tokens, index)) used.add(name);
  }
  return [...used];
}

/**
 * Returns whether a table name is expected here: after a keyword such as FROM, or after the comma in a list
 * such as `FROM posts p, users`.
 */
function isTablePosition(tokens: readonly SqlToken[], index: number): boolean {
  let back = index - 1;
  for (;;) {
    const token = tokens[back];
    if (token === undefined) return false;
    if (token.kind === 'word' && BEFORE_TABLES.has(token.text.toUpperCase()))
      return back === index - 1 || tokens[index - 1]?.text === ',';
    // Only names and commas may be between a keyword such as FROM and this comma.
    if (token.kind === 'mark' && token.text !== ',') return false;
    if (token.kind === 'word' && CLAUSES.has(token.text.toUpperCase())) return false;
    back -= 1;
  }
}

const CLAUSES: ReadonlySet<string> = new Set([
  'SELECT',
  'WHERE',
  'ON',
  'USING',
  'SET',
  'GROUP',
  'ORDER',
  'HAVING',
  'LIMIT',
  'VALUES',
  'UNION',
]);

function readName({ kind, text }: SqlToken): string {
  if (kind === 'word') return text;
  return kind === 'quoted' && text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : '';
}
