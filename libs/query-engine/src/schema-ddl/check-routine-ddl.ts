import { wordSet } from '../lexer/sql-words.js';
import { FUNCTIONS_WITH_FROM } from '../guard/allowed-functions.js';
import { checkSetting, readDeclaredNames } from './check-body-settings.js';
import { checkBodyStatements } from './check-body-statements.js';
import { isNameToken } from '../lexer/names.js';
import { rejectDatabaseName, notInSchemas } from './rejected-ddl.js';
import type { DdlObject, SqlToken } from '../types.js';

const BEFORE_TABLE: ReadonlySet<string> = wordSet(
  'FROM JOIN STRAIGHT_JOIN UPDATE INTO CALL TABLE REFERENCES',
);
const BEFORE_INTO: ReadonlySet<string> = wordSet('INSERT REPLACE IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED');

const INVOKER_HINT =
  'Remove SQL SECURITY INVOKER. The function then runs with the rights of deployed objects.';

/**
 * Returns the token INVOKER of `SQL SECURITY INVOKER`. Such a function is not allowed: the server runs a
 * function when it opens a view that calls it, so it would run with the rights of any account that reads the
 * schema.
 */
export function findInvoker(tokens: readonly SqlToken[]): SqlToken | undefined {
  return tokens.find(
    (token, position) =>
      token.kind === 'word' &&
      token.value === 'INVOKER' &&
      tokens[position - 1]?.kind === 'word' &&
      tokens[position - 1]?.value === 'SECURITY',
  );
}

/**
 * Checks the statement that creates a view, a trigger or a routine. It must not name other databases or
 * shared libraries. Its body must not contain dynamic SQL, statements about accounts or the server, or
 * assignments to system variables.
 */
export function checkRoutine(tokens: readonly SqlToken[], object: DdlObject): void {
  /** For each open parenthesis: whether FROM is a separator in it, as in `EXTRACT(YEAR FROM t.c)`. */
  const separators: boolean[] = [];
  let isTargetSeen = object !== 'trigger';
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token.kind === 'operator' && token.value === '(') {
      separators.push(before?.kind === 'word' && FUNCTIONS_WITH_FROM.has(before.value));
    } else if (token.kind === 'operator' && token.value === ')') separators.pop();
    if (token.kind !== 'word') continue;
    if (token.value === 'SONAME')
      throw notInSchemas('Functions from shared libraries are not supported.', token);
    if (token.value === 'ON' && !isTargetSeen) {
      isTargetSeen = true;
      checkTableName(tokens, index + 1);
    } else if (isBeforeTable(tokens, index, separators.at(-1) === true)) checkTableName(tokens, index + 1);
  }
  checkPartCounts(tokens);
  if (object !== 'view') {
    const declared = readDeclaredNames(tokens);
    checkBodyStatements(tokens, (index) => checkSetting(tokens, index, declared));
  }
  const invoker = object === 'function' ? findInvoker(tokens) : undefined;
  if (invoker !== undefined)
    throw notInSchemas('A function cannot be SQL SECURITY INVOKER.', invoker, INVOKER_HINT);
}

function isBeforeTable(tokens: readonly SqlToken[], index: number, isSeparator: boolean): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.kind !== 'word' || !BEFORE_TABLE.has(token.value)) return false;
  if (token.value === 'FROM') return !isSeparator;
  if (token.value === 'INTO') return before?.kind === 'word' && BEFORE_INTO.has(before.value);
  // In ON DUPLICATE KEY UPDATE t.c = …, a column follows UPDATE instead of a table.
  return token.value !== 'UPDATE' || before?.value !== 'KEY';
}

function checkTableName(tokens: readonly SqlToken[], index: number): void {
  const name = tokens[index];
  if (isNameToken(name) && isDot(tokens[index + 1])) throw rejectDatabaseName(name);
}

/** Rejects names of three parts. In `a.b.c`, `a` can only be a database. */
function checkPartCounts(tokens: readonly SqlToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (isNameToken(token) && isDot(tokens[index + 1]) && isDot(tokens[index + 3]))
      throw rejectDatabaseName(token);
  }
}

function isDot(token: SqlToken | undefined): boolean {
  return token?.kind === 'operator' && token.value === '.';
}
