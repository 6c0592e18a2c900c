import { wordSet } from '../lexer/sql-words.js';
import { isNameToken } from '../lexer/names.js';
import { notInSchemas, type RejectedDdlError } from './rejected-ddl.js';
import type { SqlToken } from '../types.js';

const DYNAMIC_HINT = 'Write the statement itself. Deployed routines and triggers cannot contain dynamic SQL.';
const ACCOUNT_HINT =
  'Rowhouse manages accounts and their rights. Create or revoke keys and connections instead.';
const SERVER_HINT = 'Deployed routines and triggers can only read and write the tables of this database.';

/**
 * Tokens after which a new statement begins. A SET after them does not belong to the INSERT or UPDATE before
 * them.
 */
const STATEMENT_BOUNDARIES: ReadonlySet<string> = wordSet('; BEGIN THEN ELSE DO LOOP REPEAT ROW');
/** Characteristics of routines and conditions of handlers. A single statement may begin after them. */
const BEFORE_STATEMENT: ReadonlySet<string> = wordSet(
  ') : DETERMINISTIC SQL DATA INVOKER DEFINER SQLEXCEPTION SQLWARNING FOUND',
);
/** Words after which PREPARE and EXECUTE are column names. */
const EXPRESSION_WORDS: ReadonlySet<string> = wordSet(`
  SELECT DISTINCT BY AS AND OR NOT WHERE ON SET FROM JOIN TABLE INTO UPDATE DECLARE
`);
const AFTER_EXECUTE: ReadonlySet<string> = wordSet('; USING END ELSE ELSEIF WHEN UNTIL');
const DDL_VERBS: ReadonlySet<string> = wordSet('CREATE ALTER DROP RENAME');
const ACCOUNT_OBJECTS: ReadonlySet<string> = new Set(['USER', 'ROLE']);
const SERVER_OBJECTS: ReadonlySet<string> = wordSet(
  'DATABASE SCHEMA EVENT SERVER TABLESPACE INSTANCE LOGFILE',
);
/**
 * Reserved words that can only begin a statement about accounts or the server. The value is the hint for the
 * error.
 */
const RESERVED_STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['GRANT', ACCOUNT_HINT],
  ['REVOKE', ACCOUNT_HINT],
  ['KILL', SERVER_HINT],
  ['PURGE', SERVER_HINT],
]);
const SERVER_STATEMENTS: ReadonlySet<string> = wordSet(
  'SHUTDOWN RESTART FLUSH RESET INSTALL UNINSTALL BINLOG BACKUP XA CLONE',
);
const GLOBAL_SCOPES: ReadonlySet<string> = new Set(['GLOBAL', 'PERSIST', 'PERSIST_ONLY']);

/**
 * Rejects statements that the body of a procedure, function or trigger must not contain. These are dynamic
 * SQL, which cannot be checked, and statements about accounts or the server.
 *
 * @param tokens the complete CREATE statement without comments
 * @param checkAssignment called for each assignment of a SET statement, with the index of its first token
 * @throws RejectedDdlError for the first such statement
 */
export function checkBodyStatements(
  tokens: readonly SqlToken[],
  checkAssignment: (index: number) => void = () => undefined,
): void {
  /** Whether the current statement may have a SET clause. INSERT, UPDATE, SIGNAL and ALTER may have one. */
  let hasSetClause = false;
  /**
   * Whether the current token is in a SET statement, in the SET clause of another statement, or in neither.
   */
  let set: 'none' | 'statement' | 'clause' = 'none';
  /**
   * The number of open parentheses. No statement begins inside parentheses: an UPDATE there ends a subquery,
   * and a SET belongs to CHARACTER SET.
   */
  let depth = 0;
  /** Whether the current assignments belong to SET STATEMENT. The server reverts them after the statement. */
  let isInSetStatement = false;
  for (const [index, token] of tokens.entries()) {
    const { value } = token;
    if (token.kind === 'operator' && value === '(') depth += 1;
    else if (token.kind === 'operator' && value === ')') depth -= 1;
    if (token.kind === 'variable' && /^@@(global|persist|persist_only)\b/i.test(value))
      throw rejected(token.text, token, SERVER_HINT);
    if (value === ';') set = 'none';
    if (isBoundary(token)) hasSetClause = false;
    if (depth === 0 && set === 'statement') {
      if (isWord(token, 'STATEMENT') && isWord(tokens[index - 1], 'SET')) isInSetStatement = true;
      else if (isInSetStatement && isWord(token, 'FOR')) isInSetStatement = false;
      if (!isInSetStatement && ['SET', ','].includes(valueAt(tokens, index - 1) ?? ''))
        checkAssignment(index);
    } else isInSetStatement = false;
    if (token.kind !== 'word' || valueAt(tokens, index - 1) === '.') continue;
    checkWord(tokens, index);
    if (depth > 0) continue;
    // In the list of a SET statement, the SET in CHARACTER SET begins no other statement.
    if (value === 'SET' && set !== 'statement')
      set = hasSetClause ? 'clause' : isCharacterSet(tokens, index) ? set : 'statement';
    else if (beginsSetClause(tokens, index)) {
      hasSetClause = true;
      // The statement is of the form SET STATEMENT … FOR UPDATE t SET …
      if (valueAt(tokens, index - 1) === 'FOR') set = 'none';
    }
    if (set === 'statement') checkSet(tokens, index);
  }
}

/**
 * Reports whether this SET belongs to CHARACTER SET. CHARACTER and CHAR are reserved words, so no statement
 * can end with one of them.
 */
function isCharacterSet(tokens: readonly SqlToken[], index: number): boolean {
  return isWord(tokens[index - 1], 'CHARACTER') || isWord(tokens[index - 1], 'CHAR');
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.value === word;
}

/**
 * Reports whether a statement begins after this token. In `label:BEGIN`, the lexer reads the label as a word
 * and the keyword as a parameter.
 */
function isBoundary(token: SqlToken): boolean {
  if (token.kind === 'parameter') return STATEMENT_BOUNDARIES.has(token.value.toUpperCase());
  return isUnquoted(token) && STATEMENT_BOUNDARIES.has(token.value);
}

function isUnquoted(token: SqlToken): boolean {
  return token.kind === 'word' || token.kind === 'operator';
}

/**
 * Words of statements that may have a SET clause. They are reserved on both engines, so they are never names.
 */
const OTHER_SET_CLAUSES: ReadonlySet<string> = wordSet('SIGNAL RESIGNAL ALTER UPDATE');

function beginsSetClause(tokens: readonly SqlToken[], index: number): boolean {
  const value = valueAt(tokens, index) ?? '';
  // The words in CREATE OR REPLACE and the functions INSERT() and REPLACE() do not begin a statement.
  const isStatement = valueAt(tokens, index - 1) !== 'OR' && valueAt(tokens, index + 1) !== '(';
  return OTHER_SET_CLAUSES.has(value) || ((value === 'INSERT' || value === 'REPLACE') && isStatement);
}

function checkWord(tokens: readonly SqlToken[], index: number): void {
  const token = tokens[index] as SqlToken;
  const next = valueAt(tokens, index + 1);
  const hint = RESERVED_STATEMENTS.get(token.value);
  if (hint !== undefined) throw rejected(token.value, token, hint);
  if (token.value === 'EXECUTE' && next === 'IMMEDIATE')
    throw rejected('EXECUTE IMMEDIATE', token, DYNAMIC_HINT);
  if ((token.value === 'DEALLOCATE' || token.value === 'DROP') && next === 'PREPARE')
    throw rejected(`${token.value} PREPARE`, token, DYNAMIC_HINT);
  if (token.value === 'INTO' && (next === 'OUTFILE' || next === 'DUMPFILE'))
    throw rejected(`INTO ${next}`, token, SERVER_HINT);
  if (token.value === 'LOAD' && (next === 'DATA' || next === 'XML'))
    throw rejected(`LOAD ${next}`, token, SERVER_HINT);
  if (DDL_VERBS.has(token.value)) checkObject(tokens, index);
  if (isInExpression(tokens, index)) return;
  if (token.value === 'PREPARE' && valueAt(tokens, index + 2) === 'FROM')
    throw rejected('PREPARE', token, DYNAMIC_HINT);
  const isExecute = token.value === 'EXECUTE' && isNameToken(tokens[index + 1]);
  if (isExecute && AFTER_EXECUTE.has(valueAt(tokens, index + 2) ?? ';'))
    throw rejected('EXECUTE', token, DYNAMIC_HINT);
  if (SERVER_STATEMENTS.has(token.value) && beginsStatement(tokens, index))
    throw rejected(token.value, token, SERVER_HINT);
}

/** Rejects CREATE, ALTER, DROP and RENAME of accounts, databases, events and similar objects. */
function checkObject(tokens: readonly SqlToken[], index: number): void {
  const verb = tokens[index] as SqlToken;
  const isReplace = valueAt(tokens, index + 1) === 'OR' && valueAt(tokens, index + 2) === 'REPLACE';
  const object = tokens[index + (isReplace ? 3 : 1)];
  if (object?.kind !== 'word') return;
  if (ACCOUNT_OBJECTS.has(object.value)) throw rejected(`${verb.value} ${object.value}`, verb, ACCOUNT_HINT);
  // Triggers only run if the definer account has the TRIGGER privilege. A body must not use this privilege to
  // drop triggers.
  if (index > 0 && verb.value === 'DROP' && object.value === 'TRIGGER')
    throw rejected('DROP TRIGGER', verb, SERVER_HINT);
  if (SERVER_OBJECTS.has(object.value)) throw rejected(`${verb.value} ${object.value}`, verb, SERVER_HINT);
}

/**
 * Checks one assignment of a SET statement. MariaDB accepts PASSWORD anywhere in the list, as in `SET @a = 1,
 * PASSWORD = …`.
 */
function checkSet(tokens: readonly SqlToken[], index: number): void {
  const token = tokens[index] as SqlToken;
  const before = valueAt(tokens, index - 1);
  if (before !== 'SET' && before !== ',') return;
  if (token.value === 'PASSWORD') throw rejected('SET PASSWORD', token, ACCOUNT_HINT);
  if (token.value === 'ROLE' || (token.value === 'DEFAULT' && valueAt(tokens, index + 1) === 'ROLE'))
    throw rejected('SET ROLE', token, ACCOUNT_HINT);
  if (GLOBAL_SCOPES.has(token.value)) throw rejected(`SET ${token.value}`, token, SERVER_HINT);
}

function isInExpression(tokens: readonly SqlToken[], index: number): boolean {
  const before = tokens[index - 1];
  if (before === undefined) return false;
  if (before.kind === 'operator') return ![')', ';', ':'].includes(before.value);
  return before.kind === 'word' && EXPRESSION_WORDS.has(before.value);
}

function beginsStatement(tokens: readonly SqlToken[], index: number): boolean {
  const before = tokens[index - 1];
  if (before === undefined || before.kind === 'string') return true;
  return isBoundary(before) || (isUnquoted(before) && BEFORE_STATEMENT.has(before.value));
}

function valueAt(tokens: readonly SqlToken[], index: number): string | undefined {
  const token = tokens[index];
  return token !== undefined && isUnquoted(token) ? token.value : undefined;
}

function rejected(statement: string, token: SqlToken, hint: string): RejectedDdlError {
  return notInSchemas(`A deployed routine or trigger cannot contain ${statement}.`, token, hint);
}
