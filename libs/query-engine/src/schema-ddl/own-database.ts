import { wordSet } from '../lexer/sql-words.js';
import { SCHEMA_BOUNDS } from './classify-ddl.js';
import { lexSql } from '../lexer/lex-sql.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import type { SqlToken } from '../types.js';

const OBJECTS: ReadonlySet<string> = wordSet('TABLE TABLES VIEW TRIGGER PROCEDURE FUNCTION EVENT');
/** Words before the name of a table, view or routine. In that name, the part before a dot is a database. */
const BEFORE_OBJECT: ReadonlySet<string> = wordSet(`
  TABLE TABLES VIEW TRIGGER PROCEDURE FUNCTION EXISTS ON REFERENCES FROM JOIN STRAIGHT_JOIN INTO UPDATE
  CALL TO RENAME IGNORE REPLACE LIKE
`);

/**
 * Returns the database in the qualified name of the object that a DDL statement creates or changes. Returns
 * null for a name without a database.
 */
export function findObjectDatabase(sql: string): string | null {
  const tokens = readTokens(sql);
  const isIndex = tokens.slice(0, 4).some((token) => isWord(token, 'INDEX'));
  let position =
    tokens.findIndex((token) =>
      isIndex ? isWord(token, 'ON') : token.kind === 'word' && OBJECTS.has(token.value),
    ) + 1;
  if (position === 0) return null;
  if (isWord(tokens[position], 'IF')) position += isWord(tokens[position + 1], 'NOT') ? 3 : 2;
  const name = tokens[position];
  return isNameToken(name) && isDot(tokens[position + 1]) ? nameOf(name) : null;
}

/**
 * Removes a database before the names of tables, views and routines. `name.column` remains if a table in the
 * statement has the same name as the database.
 */
export function withoutDatabase(sql: string, database: string): string {
  const folded = foldName(database);
  if (!foldName(sql).includes(folded)) return sql;
  const tokens = readTokens(sql);
  const isNamed = (position: number): boolean => {
    const token = tokens[position];
    return isNameToken(token) && foldName(nameOf(token)) === folded;
  };
  // Without a dot after it, the name is that of a table or alias, so `name.column` may be its column.
  const isTableToo = tokens.some((_token, position) => isNamed(position) && !isDot(tokens[position + 1]));
  const cuts = tokens.flatMap((token, position) => {
    if (
      !isNamed(position) ||
      isDot(tokens[position - 1]) ||
      !isDot(tokens[position + 1]) ||
      !isNameToken(tokens[position + 2])
    )
      return [];
    const isObject =
      !isTableToo ||
      isDot(tokens[position + 3]) ||
      isOperator(tokens[position + 3], '(') ||
      isBeforeObject(tokens[position - 1]);
    return isObject ? [{ start: token.start, end: tokens[position + 2]?.start ?? token.end }] : [];
  });
  return cuts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), sql);
}

function isBeforeObject(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && BEFORE_OBJECT.has(token.value);
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.value === word;
}

function isDot(token: SqlToken | undefined): boolean {
  return isOperator(token, '.');
}

function isOperator(token: SqlToken | undefined, operator: string): boolean {
  return token?.kind === 'operator' && token.value === operator;
}

/** Returns no tokens for a malformed text. Its error is reported when the text is classified. */
function readTokens(sql: string): SqlToken[] {
  try {
    return lexSql(sql, SCHEMA_BOUNDS).filter((token) => token.kind !== 'comment');
  } catch {
    return [];
  }
}
