import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { RESERVED_WORDS, wordSet } from '../lexer/sql-words.js';
import type { RouteSchema, SqlToken } from '../types.js';
import { namesOf } from './schema-names.js';

export function isTable(token: SqlToken | undefined, schema: RouteSchema): boolean {
  return isNameToken(token) && namesOf(schema).tables.has(foldName(nameOf(token)));
}

/**
 * Recognizes prose that begins with SELECT and has no FROM, such as `select date of birth` and `select AC/DC
 * albums`.
 */
export function isProse(tokens: readonly SqlToken[], isUnbound: boolean, schema: RouteSchema): boolean {
  if (tokens[1]?.value === '*') return false;
  if (hasProseWord(tokens, schema)) return true;
  if (isUnbound && tokens.some((token) => isTable(token, schema))) return true;
  const isPlain = (token: SqlToken | undefined): boolean =>
    token?.kind === 'word' && !RESERVED_WORDS.has(token.value);
  return tokens.some(
    (token, index) => isPlain(token) && isPlain(tokens[index + 1]) && isPlain(tokens[index + 2]),
  );
}

/**
 * Recognizes a sentence such as `select patients from Bonn`: a table in the place of a column, and no table
 * after FROM.
 */
export function listsTables(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  const { tables, columns } = namesOf(schema);
  const list = tokens.slice(
    1,
    tokens.findIndex((token) => token.kind === 'word' && token.value === 'FROM'),
  );
  const isPlural = (name: string): boolean => name.endsWith('s') && tables.has(name.slice(0, -1));
  return list.some((token) => {
    if (token.kind !== 'word') return false;
    const name = foldName(nameOf(token));
    return (tables.has(name) || isPlural(name)) && !columns.has(name);
  });
}

/**
 * Recognizes a query such as `select name from products order price`: columns of a table, FROM with this
 * table, then a clause with a mistake.
 */
export function isKnownList(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  if (hasProseWord(tokens, schema)) return false;
  const from = tokens.findIndex((token) => token.kind === 'word' && token.value === 'FROM');
  const name = tokens[from + 1];
  const following = tokens[from + 2];
  if (from < 2 || !isNameToken(name) || following?.kind !== 'word' || !CLAUSE_STARTS.has(following.value))
    return false;
  const columns = new Set(
    namesOf(schema)
      .tables.get(foldName(nameOf(name)))
      ?.columns.map(foldName),
  );
  return tokens
    .slice(1, from)
    .every((token, index) =>
      index % 2 === 0 ? isNameToken(token) && columns.has(foldName(nameOf(token))) : token.value === ',',
    );
}

const CLAUSE_STARTS: ReadonlySet<string> = wordSet(
  'WHERE GROUP ORDER HAVING LIMIT JOIN INNER LEFT RIGHT CROSS UNION',
);

const PROSE_WORDS: ReadonlySet<string> = wordSet(`
  ABOUT ANY ANYONE ARE BECAUSE EACH EVERY EVERYONE EVERYTHING HAD HAS HAVE HE HER HIS HOW ITS MANY ME MINE
  MOST MUCH MY NAMED OUR PEOPLE PLEASE SHE SOMEONE THAN THAT THE THEIR THEM THEY THIS THOSE US WAS WE WERE
  WHAT WHICH WHO WHOSE YOU YOUR
`);

/**
 * Reports whether the text contains a word that is common in prose and rarely a name. A word that is a name
 * in this schema, such as `people`, is not counted.
 */
function hasProseWord(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  const { words } = namesOf(schema);
  return tokens.some(
    (token) => token.kind === 'word' && PROSE_WORDS.has(token.value) && !words.has(token.value),
  );
}

/** Reports whether the text contains punctuation that prose does not have between words, or a comparison. */
export function hasStrongForm(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  if (hasProseWord(tokens, schema)) return false;
  return tokens.some((token, index) => {
    if (token.kind === 'quoted' || token.kind === 'parameter') return true;
    if (token.kind === 'word') return token.value === 'UNION' && isFollowedBySelect(tokens, index + 1);
    if (token.kind !== 'operator') return false;
    const before = tokens[index - 1];
    if (token.value === '(')
      return isSubquery(tokens[index + 1]) || (before?.kind === 'word' && before.end === token.start);
    if (token.value === '.') return before?.end === token.start && tokens[index + 1]?.start === token.end;
    return token.value !== ',' && token.value !== ')' && token.value !== '-' && token.value !== '!';
  });
}

function isFollowedBySelect(tokens: readonly SqlToken[], index: number): boolean {
  const word = tokens[index]?.value;
  return (word === 'ALL' || word === 'DISTINCT' ? tokens[index + 1] : tokens[index])?.value === 'SELECT';
}

function isSubquery(token: SqlToken | undefined): boolean {
  return (
    token?.kind === 'word' && (token.value === 'SELECT' || token.value === 'WITH' || token.value === 'TABLE')
  );
}

const CLAUSE_PAIRS: ReadonlySet<string> = new Set([
  'GROUP BY',
  'ORDER BY',
  'UNION SELECT',
  'UNION ALL',
  'UNION DISTINCT',
  'EXCEPT SELECT',
  'INTERSECT SELECT',
  'INNER JOIN',
  'LEFT JOIN',
  'CROSS JOIN',
]);

/**
 * Recognizes a query such as `select name from user`: SELECT, names separated by commas, FROM, one name, and
 * then only clauses.
 */
export function isBareForm(tokens: readonly SqlToken[], schema: RouteSchema): boolean {
  if (hasProseWord(tokens, schema)) return false;
  const from = tokens.findIndex((token) => token.kind === 'word' && token.value === 'FROM');
  const list = tokens.slice(tokens[1]?.value === 'DISTINCT' ? 2 : 1, from);
  const isNameList =
    list.length > 0 &&
    list.every((token, index) => (index % 2 === 0 ? token.kind === 'word' : token.value === ','));
  return (
    from > 1 && isNameList && (from + 2 >= tokens.length || list.length > 1 || isClauseAt(tokens, from + 2))
  );
}

/** Reports whether words that occur together in SQL but not in prose begin at this index. */
function isClauseAt(tokens: readonly SqlToken[], index: number): boolean {
  const [first, second, third, fourth] = tokens.slice(index, index + 4);
  if (first?.kind !== 'word') return false;
  if (first.value === 'LIMIT') return second?.kind === 'number';
  if (first.value !== 'WHERE') return CLAUSE_PAIRS.has(`${first.value} ${second?.value ?? ''}`);
  const isLiteral = fourth?.kind === 'string' || fourth?.kind === 'number';
  return (
    second?.kind === 'word' &&
    third?.kind === 'word' &&
    ((isLiteral && (third.value === 'LIKE' || third.value === 'BETWEEN')) ||
      (third.value === 'IS' && fourth?.value === 'NULL'))
  );
}
