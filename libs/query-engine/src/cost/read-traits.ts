import { wordSet } from '../lexer/sql-words.js';
import { lexSql } from '../lexer/lex-sql.js';
import type { SqlToken } from '../types.js';

/** Words that prevent the server from sending rows as it finds them. */
const GATHERING_WORDS = wordSet('GROUP HAVING DISTINCT DISTINCTROW UNION EXCEPT INTERSECT OVER WITH');
const GATHERING_FUNCTIONS = wordSet(`
  COUNT SUM AVG MIN MAX GROUP_CONCAT STD STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP BIT_AND
  BIT_OR BIT_XOR JSON_ARRAYAGG JSON_OBJECTAGG ANY_VALUE ST_COLLECT
`);

/**
 * Returns a name for a statement. Statements that differ only in literals and white space have the same name.
 */
export function nameStatement(tokens: readonly SqlToken[]): string {
  return tokens
    .map((token) =>
      token.kind === 'string' || token.kind === 'number' || token.kind === 'parameter' ? '?' : token.text,
    )
    .join(' ');
}

/** Reports whether a statement is a single SELECT that sends rows as it finds them. */
export function isPlainSelect(sql: string): boolean {
  const words = lexSql(sql).filter((token) => token.kind === 'word');
  if (words[0]?.value !== 'SELECT' || words.filter(({ value }) => value === 'SELECT').length > 1)
    return false;
  return !words.some(({ value }) => GATHERING_WORDS.has(value) || GATHERING_FUNCTIONS.has(value));
}

/** The columns of one table by which a statement filters or sorts. */
export interface NarrowingColumns {
  readonly equal: readonly string[];
  readonly range: readonly string[];
  readonly sort: readonly string[];
}

const EQUAL_SIGNS = new Set(['=', '<=>']);
const RANGE_SIGNS = wordSet('< > <= >=');
const CLAUSE_ENDS = wordSet('SELECT FROM GROUP HAVING LIMIT UNION EXCEPT INTERSECT WINDOW SET RETURNING');

/**
 * Returns the columns of a table for which the statement could use an index. They are compared directly, not
 * inside an expression or OR. `owns` reports whether a column name without a qualifier belongs to the table.
 */
export function findNarrowingColumns(
  sql: string,
  alias: string,
  owns: (column: string) => boolean,
): NarrowingColumns {
  const tokens = lexSql(sql);
  const found = { equal: new Set<string>(), range: new Set<string>(), sort: new Set<string>() };
  let clause: 'where' | 'order' | null = null;
  let hasAlternatives = false;
  for (const [position, token] of tokens.entries()) {
    if (token.kind === 'word') {
      if (token.value === 'WHERE' || token.value === 'ON') clause = 'where';
      else if (token.value === 'ORDER') clause = 'order';
      else if (CLAUSE_ENDS.has(token.value)) clause = null;
      else if (clause === 'where' && (token.value === 'OR' || token.value === 'XOR')) hasAlternatives = true;
    }
    if (clause === null) continue;
    const column = readColumn(tokens, position, alias, owns);
    if (column === null) continue;
    if (clause === 'order') {
      if (isListed(tokens, position)) found.sort.add(column);
    } else noteColumn(found, tokens, position, column);
  }
  return hasAlternatives
    ? { equal: [], range: [], sort: [...found.sort] }
    : { equal: [...found.equal], range: [...found.range], sort: [...found.sort] };
}

function noteColumn(
  found: { readonly equal: Set<string>; readonly range: Set<string> },
  tokens: readonly SqlToken[],
  position: number,
  column: string,
): void {
  const next = tokens[position + 1];
  const following = next?.value ?? '';
  const before = beforeName(tokens, position)?.value ?? '';
  const isAlone = next === undefined || next.kind === 'word' || [')', ',', ';'].includes(following);
  if (EQUAL_SIGNS.has(following) || following === 'IN' || (EQUAL_SIGNS.has(before) && isAlone))
    found.equal.add(column);
  else if (
    RANGE_SIGNS.has(following) ||
    following === 'BETWEEN' ||
    (following === 'LIKE' && isPrefix(tokens[position + 2])) ||
    (RANGE_SIGNS.has(before) && isAlone)
  )
    found.range.add(column);
}

/** Reads a column name. Returns the index of its last token, if the column belongs to the table. */
function readColumn(
  tokens: readonly SqlToken[],
  position: number,
  alias: string,
  owns: (column: string) => boolean,
): string | null {
  const token = tokens[position];
  if (
    token === undefined ||
    (token.kind !== 'word' && token.kind !== 'quoted') ||
    tokens[position + 1]?.value === '.' ||
    tokens[position + 1]?.value === '('
  )
    return null;
  const name = token.kind === 'quoted' ? token.value : token.text;
  const qualifier = tokens[position - 1]?.value === '.' ? tokens[position - 2] : undefined;
  if (qualifier === undefined) return owns(name) ? name : null;
  const qualified = qualifier.kind === 'quoted' ? qualifier.value : qualifier.text;
  return qualified.toLowerCase() === alias.toLowerCase() && owns(name) ? name : null;
}

/** Returns the token before a column name and its qualifiers. */
function beforeName(tokens: readonly SqlToken[], position: number): SqlToken | undefined {
  let start = position;
  while (tokens[start - 1]?.value === '.') start -= 2;
  return tokens[start - 1];
}

/** Reports whether the column itself is a sort key of ORDER BY, without an expression around it. */
function isListed(tokens: readonly SqlToken[], position: number): boolean {
  const [before, following] = [beforeName(tokens, position)?.value ?? '', tokens[position + 1]?.value ?? ','];
  return (before === 'BY' || before === ',') && [',', 'ASC', 'DESC', 'LIMIT', ')', ';'].includes(following);
}

function isPrefix(token: SqlToken | undefined): boolean {
  return token?.kind === 'string' && !/^[%_]/.test(token.value);
}
