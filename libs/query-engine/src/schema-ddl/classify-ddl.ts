import { wordSet } from '../lexer/sql-words.js';
import { AppError } from '@rowhouse/errors';
import { checkBodyStatements } from './check-body-statements.js';
import { checkRoutine, findInvoker } from './check-routine-ddl.js';
import { checkTable } from './check-table-ddl.js';
import { rejectDatabaseName, notInSchemas, reject, RejectedDdlError } from './rejected-ddl.js';
import { lexSql } from '../lexer/lex-sql.js';
import { isNameToken, nameOf } from '../lexer/names.js';
import { shorten, TokenCursor } from '../lexer/token-cursor.js';
import type { DdlClass, DdlObject, DdlVerb, LexBounds, SqlStatement, SqlToken } from '../types.js';

/** The limits for one statement of schema text. */
export const SCHEMA_BOUNDS: LexBounds = { bytesMax: 1024 * 1024, depthMax: 256, tokensMax: 400_000 };

const OBJECTS: ReadonlyMap<string, DdlObject> = new Map([
  ['TABLE', 'table'],
  ['TABLES', 'table'],
  ['INDEX', 'index'],
  ['VIEW', 'view'],
  ['TRIGGER', 'trigger'],
  ['PROCEDURE', 'procedure'],
  ['FUNCTION', 'function'],
]);
const VERBS: ReadonlyMap<string, DdlVerb> = new Map([
  ['CREATE', 'create'],
  ['ALTER', 'alter'],
  ['DROP', 'drop'],
  ['RENAME', 'rename'],
]);
/** Words that may occur between the verb of a statement and the kind of object. */
const MODIFIERS: ReadonlySet<string> = wordSet(`
  OR REPLACE ONLINE OFFLINE IGNORE UNIQUE FULLTEXT SPATIAL VECTOR AGGREGATE SQL SECURITY INVOKER ALGORITHM
  UNDEFINED MERGE TEMPTABLE
`);
/** Statements in dumps that are harmless and are skipped. The value is the note for the user. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['SET', 'SET is ignored, because Rowhouse configures the session.'],
  ['USE', 'USE is ignored, because the statements run in this database.'],
  ['LOCK', 'LOCK TABLES is ignored.'],
  ['UNLOCK', 'UNLOCK TABLES is ignored.'],
  ['START', 'Transactions are ignored, because schema statements commit implicitly.'],
  ['BEGIN', 'Transactions are ignored, because schema statements commit implicitly.'],
  ['COMMIT', 'Transactions are ignored, because schema statements commit implicitly.'],
  ['ROLLBACK', 'Transactions are ignored, because schema statements commit implicitly.'],
  ['INSERT', 'INSERT is not supported, because a schema contains no rows. Use the table endpoints.'],
  ['REPLACE', 'REPLACE is not supported, because a schema contains no rows. Use the table endpoints.'],
]);

/**
 * Classifies a statement of schema text. Only statements on the allow list run on the scratch database. The
 * rights of the account of that database are a second check. Never throws because of the text.
 */
export function classifyDdl(statement: SqlStatement): DdlClass {
  try {
    return classify(statement);
  } catch (error) {
    if (error instanceof RejectedDdlError) {
      return {
        kind: 'refused',
        code: error.code,
        detail: error.message,
        hint: error.hint,
        line: lineOf(statement, error.at),
      };
    }
    if (error instanceof AppError) {
      const line = typeof error.extra['line'] === 'number' ? error.extra['line'] : 1;
      return {
        kind: 'refused',
        code: 'schema.invalid_sql',
        detail: error.detail,
        hint: error.hint,
        line: statement.line + line - 1,
      };
    }
    throw error;
  }
}

/**
 * Returns the reason why a routine or trigger must not be created on a server that routines can crash.
 * Returns null if it may be created.
 *
 * @param createSql the text of SHOW CREATE in a session without ANSI_QUOTES and NO_BACKSLASH_ESCAPES
 */
export function findForbiddenStatement(createSql: string): string | null {
  try {
    const tokens = lexSql(createSql, SCHEMA_BOUNDS).filter((token) => token.comment !== 'plain');
    for (const token of tokens)
      if (token.kind === 'comment') return 'The body contains an executable comment (/*! or /*M!).';
    checkBodyStatements(tokens);
    return null;
  } catch (error) {
    if (error instanceof RejectedDdlError) return error.message;
    if (error instanceof AppError) return error.detail;
    throw error;
  }
}

/**
 * Removes `SQL SECURITY INVOKER` from a function in a file that an older version of Rowhouse exported. Other
 * texts are returned unchanged.
 *
 * @param createSql the text of SHOW CREATE in a session with the platform's SQL mode
 */
export function withoutInvoker(createSql: string): string {
  if (!/^CREATE\s+(OR\s+REPLACE\s+)?(AGGREGATE\s+)?FUNCTION\b/i.test(createSql)) return createSql;
  const invoker = findInvoker(lexSql(createSql, SCHEMA_BOUNDS).filter((token) => token.comment !== 'plain'));
  return invoker === undefined
    ? createSql
    : `${createSql.slice(0, invoker.start)}DEFINER${createSql.slice(invoker.end)}`;
}

function classify(statement: SqlStatement): DdlClass {
  const tokens = lexSql(statement.sql, SCHEMA_BOUNDS).filter((token) => token.comment !== 'plain');
  const first = tokens[0];
  if (first === undefined)
    return { kind: 'ignored', note: 'The text contains only comments.', line: statement.line };
  for (const token of tokens) checkToken(token);
  const note = findNote(tokens);
  if (note !== undefined) return { kind: 'ignored', note, line: statement.line };
  const verb = first.kind === 'word' ? VERBS.get(first.value) : undefined;
  if (verb === undefined) throw notInSchemas(`${shorten(first.text)} is not supported in a schema.`, first);
  return classifyChange(statement, tokens, verb);
}

function checkToken(token: SqlToken): void {
  if (token.kind === 'comment')
    throw notInSchemas('The text contains an executable comment (/*! or /*M!).', token);
  if (isNameToken(token) && nameOf(token).toLowerCase().startsWith('_rh_')) {
    throw reject(`Names that begin with _rh_ are reserved: ${nameOf(token)}.`, token, 'Choose another name.');
  }
}

/** Returns the note for a statement that is skipped. Returns undefined for other statements. */
function findNote(tokens: readonly SqlToken[]): string | undefined {
  const words = tokens.slice(0, 2).map((token) => (token.kind === 'word' ? token.value : ''));
  const isDatabase = words[1] === 'DATABASE' || words[1] === 'SCHEMA';
  if ((words[0] === 'CREATE' || words[0] === 'ALTER') && isDatabase) {
    return `${words[0]} ${words[1]} is ignored, because the database exists.`;
  }
  const tail = tokens.slice(-2).map((token) => (token.kind === 'word' ? token.value : ''));
  if (words[0] === 'ALTER' && (tail[0] === 'DISABLE' || tail[0] === 'ENABLE') && tail[1] === 'KEYS') {
    return `${tail[0]} KEYS is ignored.`;
  }
  return IGNORED.get(words[0] ?? '');
}

function classifyChange(statement: SqlStatement, tokens: readonly SqlToken[], verb: DdlVerb): DdlClass {
  const cursor = new TokenCursor(tokens);
  cursor.next();
  const cut = skipModifiers(cursor);
  const kind = cursor.peek();
  const object = kind?.kind === 'word' ? OBJECTS.get(kind.value) : undefined;
  if (kind === undefined || object === undefined || !isSupported(verb, object)) {
    throw notInSchemas(
      `${verb.toUpperCase()} ${shorten(kind?.text ?? '')} is not supported in a schema.`,
      kind ?? cursor.next(),
    );
  }
  cursor.next();
  skipExistence(cursor);
  const name = cursor.next();
  if (!isNameToken(name)) throw reject(`Expected the name of the ${object}.`, name);
  if (cursor.isOperator('.')) throw rejectDatabaseName(name);
  if (object === 'table' || object === 'index') checkTable(tokens, nameOf(name), verb);
  else checkRoutine(tokens, object);
  return {
    kind: 'allowed',
    sql: cutOut(statement.sql, cut),
    verb,
    object,
    name: nameOf(name),
    line: statement.line,
  };
}

function isSupported(verb: DdlVerb, object: DdlObject): boolean {
  if (verb === 'rename') return object === 'table';
  if (verb === 'alter') return object !== 'index' && object !== 'trigger';
  return true;
}

/** Moves to the kind of object. Returns the offsets of the clause `DEFINER = …`, or null without one. */
function skipModifiers(cursor: TokenCursor): { start: number; end: number } | null {
  let cut: { start: number; end: number } | null = null;
  for (;;) {
    const token = cursor.peek();
    if (cursor.isWord('TEMPORARY'))
      throw notInSchemas('Temporary tables are not supported in a schema.', cursor.next());
    if (cursor.isWord('DEFINER') && cursor.isOperator('=', 1)) cut = readDefiner(cursor);
    else if (cursor.isAnyWord(MODIFIERS) || cursor.isOperator('=')) cursor.next();
    // The word DEFINER belongs to SQL SECURITY DEFINER.
    else if (token?.value === 'DEFINER' && cursor.following()?.value === 'SECURITY') cursor.next();
    else return cut;
  }
}

/** Reads `DEFINER = user[@host] | CURRENT_USER[()]`. Its end is the start of the next token. */
function readDefiner(cursor: TokenCursor): { start: number; end: number } {
  const start = cursor.next().start;
  cursor.expectOperator('=');
  cursor.next();
  if (cursor.peek()?.kind === 'variable') {
    cursor.next();
    // In `root@%` and `a@b-c`, a part without quotes remains, which servers do not accept either.
  } else if (cursor.takeOperator('(')) cursor.expectOperator(')');
  return { start, end: cursor.peek()?.start ?? start };
}

function skipExistence(cursor: TokenCursor): void {
  if (!cursor.isWord('IF')) return;
  cursor.next();
  cursor.takeWord('NOT');
  cursor.expectWord('EXISTS');
}

function cutOut(sql: string, cut: { start: number; end: number } | null): string {
  return cut === null ? sql : sql.slice(0, cut.start) + sql.slice(cut.end);
}

function lineOf(statement: SqlStatement, token: SqlToken): number {
  return statement.line + token.line - 1;
}
