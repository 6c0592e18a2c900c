import { readExpression } from './read-expression.js';
import { noteFactor } from './expand-stars.js';
import { foreignSchema, noteSelect, type ReadContext, resolveTable, unknownTable } from './read-context.js';
import { isAtQuery, readNameList, readQueryExpression } from './read-query-expression.js';
import { readTableReferences } from './read-table-references.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';
import type { SqlToken, WriteRights } from '../types.js';

export type WriteVerb = 'insert' | 'update' | 'delete';

export interface WriteFindings {
  /** The names of tables that the statement writes. For a join, these are all tables that it could write. */
  readonly targets: readonly string[];
  readonly hasRows: boolean;
}

/**
 * Returns those words of a write which are allowed only at certain positions: the verb, INTO, the first SET
 * after it, and UPDATE in ON DUPLICATE KEY UPDATE.
 */
export function findWriteWords(tokens: readonly SqlToken[]): Set<SqlToken> {
  const [first, ...rest] = tokens;
  const found = new Set<SqlToken>(first === undefined ? [] : [first]);
  const into = rest[0]?.kind === 'word' && rest[0].value === 'IGNORE' ? rest[1] : rest[0];
  if (first?.value === 'INSERT' && isWord(into, 'INTO')) found.add(into);
  let depth = 0;
  let hasSet = first?.value === 'DELETE';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'operator' && token.value === '(') depth += 1;
    else if (token.kind === 'operator' && token.value === ')') depth -= 1;
    else if (depth > 0) continue;
    else if (
      !hasSet &&
      isWord(token, 'SET') &&
      !isWord(tokens[index - 1], 'CHARACTER') &&
      !isWord(tokens[index - 1], 'CHAR')
    ) {
      hasSet = true;
      found.add(token);
    } else if (
      first?.value === 'INSERT' &&
      isWord(token, 'UPDATE') &&
      isWord(tokens[index - 1], 'KEY') &&
      isWord(tokens[index - 2], 'DUPLICATE')
    )
      found.add(token);
  }
  return found;
}

function isWord(token: SqlToken | undefined, word: string): token is SqlToken {
  return token?.kind === 'word' && token.value === word;
}

/**
 * Parses one complete INSERT, UPDATE or DELETE.
 *
 * @throws AppError 403 `query.not_allowed` (no WHERE, or no right on a table), 400 `query.invalid_sql` or
 *   `query.unknown_table`
 */
export function readWrite(ctx: ReadContext, rights: WriteRights): WriteFindings {
  const { cursor } = ctx;
  const verb = cursor.next();
  cursor.takeWord('IGNORE');
  const findings =
    verb.value === 'INSERT'
      ? readInsert(ctx, rights)
      : verb.value === 'UPDATE'
        ? readUpdate(ctx, rights, verb)
        : readDelete(ctx, rights, verb);
  const hasRows = cursor.isWord('RETURNING');
  if (hasRows) {
    noteSelect(ctx, () => {
      for (const name of findings.targets) noteFactor(ctx, { token: null, name, table: name });
      readReturning(ctx, rights, verb);
    });
  }
  if (!cursor.isAtEnd()) throw cursor.unexpected('the end of the statement');
  return { ...findings, hasRows };
}

type Targets = Omit<WriteFindings, 'hasRows'>;

function readInsert(ctx: ReadContext, rights: WriteRights): Targets {
  const { cursor } = ctx;
  cursor.takeWord('INTO');
  const target = readTarget(ctx, rights.writable, 'write to');
  if (cursor.isOperator('(') && !isAtQuery(ctx, 1)) {
    cursor.next();
    if (!cursor.takeOperator(')')) readColumnList(ctx);
  }
  if (cursor.takeWord('SET')) readAssignments(ctx);
  else if (cursor.takeWord('VALUES') || cursor.takeWord('VALUE')) readRows(ctx);
  else readQueryExpression(ctx, null);
  if (cursor.takeWord('AS')) readRowAlias(ctx);
  if (cursor.takeWord('ON')) {
    for (const word of ['DUPLICATE', 'KEY', 'UPDATE']) cursor.expectWord(word);
    readAssignments(ctx);
  }
  return { targets: [target] };
}

/** A column in the list may be qualified by its table. */
function readColumnList(ctx: ReadContext): void {
  do readColumn(ctx);
  while (ctx.cursor.takeOperator(','));
  ctx.cursor.expectOperator(')');
}

function readColumn(ctx: ReadContext): void {
  const { cursor } = ctx;
  const parts: SqlToken[] = [];
  do {
    const token = cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected the name of a column.', token);
    parts.push(token);
  } while (cursor.takeOperator('.'));
  const [first] = parts;
  if (parts.length > 3 || first === undefined) throw cursor.unexpected('a column of one table');
  if (parts.length === 3 && nameOf(first) !== ctx.names.schemaName) throw foreignSchema(first);
  const [qualifier, name] = parts.length === 1 ? [null, first] : parts.slice(-2);
  if (name !== undefined) ctx.columns.push({ qualifier: qualifier ?? null, name });
}

function readRows(ctx: ReadContext): void {
  const { cursor } = ctx;
  do {
    cursor.takeWord('ROW');
    cursor.expectOperator('(');
    readExpression(ctx, null, { stop: 'paren' });
    cursor.expectOperator(')');
  } while (cursor.takeOperator(','));
}

/** Reads `AS new` or `AS new (a, b)`, with which MySQL names the inserted row. */
function readRowAlias(ctx: ReadContext): void {
  const alias = ctx.cursor.next();
  if (!isNameToken(alias)) throw invalidSql('Expected a name after AS.', alias);
  ctx.qualifiers.add(foldName(nameOf(alias)));
  if (ctx.cursor.takeOperator('(')) readNameList(ctx);
}

/**
 * Reads assignments of the form `column = value, …`. In them, VALUES(column) refers to the inserted value.
 */
function readAssignments(ctx: ReadContext): void {
  const { cursor } = ctx;
  do {
    readColumn(ctx);
    cursor.expectOperator('=');
    readExpression(ctx, null, { stop: 'join', comesWithRow: true });
  } while (cursor.takeOperator(','));
}

function readUpdate(ctx: ReadContext, rights: WriteRights, verb: SqlToken): Targets {
  const { cursor } = ctx;
  const targets = readWrittenReferences(ctx, rights.writable, 'write to', verb);
  cursor.expectWord('SET');
  readAssignments(ctx);
  readWhere(ctx, verb);
  return { targets };
}

/** Reads the tables of a DELETE: `DELETE FROM t`, `DELETE a, b FROM …` or `DELETE FROM a, b USING …`. */
function readDelete(ctx: ReadContext, rights: WriteRights, verb: SqlToken): Targets {
  const { cursor } = ctx;
  const isNamed = !cursor.takeWord('FROM');
  const isSingle = !isNamed && isSingleDelete(ctx);
  const named = isSingle ? [] : readDeletedNames(ctx);
  if (isNamed) cursor.expectWord('FROM');
  else if (!isSingle) cursor.expectWord('USING');
  const targets = readWrittenReferences(ctx, rights.deletable, 'delete from', verb);
  for (const token of named)
    if (!ctx.qualifiers.has(foldName(nameOf(token)))) throw unknownTable(ctx.names, nameOf(token), token);
  readWhere(ctx, verb);
  return { targets };
}

function isSingleDelete({ cursor }: ReadContext): boolean {
  for (let ahead = 0; ; ahead += 1) {
    const token = cursor.peek(ahead);
    if (
      token === undefined ||
      (token.kind === 'word' &&
        (token.value === 'WHERE' || token.value === 'ORDER' || token.value === 'LIMIT'))
    )
      return true;
    if (token.kind === 'word' && token.value === 'USING') return false;
  }
}

function readDeletedNames(ctx: ReadContext): SqlToken[] {
  const { cursor } = ctx;
  const names: SqlToken[] = [];
  do {
    const token = cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected the table to delete from.', token);
    if (cursor.takeOperator('.')) cursor.expectOperator('*');
    names.push(token);
  } while (cursor.takeOperator(','));
  return names;
}

/**
 * Reads the tables of a write with a join. The API key needs write access to all of them, because only the
 * server can determine to which table a column belongs.
 */
function readWrittenReferences(
  ctx: ReadContext,
  allowed: readonly string[],
  action: string,
  verb: SqlToken,
): string[] {
  readTableReferences(ctx, null);
  const targets = [...ctx.tables];
  const closed = targets.find((name) => !allowed.includes(name));
  if (closed !== undefined) {
    const hint = targets.length === 1 ? undefined : 'Read other tables in a subquery.';
    throw notAllowed(`This key cannot ${action} "${closed}".`, verb, hint);
  }
  return targets;
}

function readWhere(ctx: ReadContext, verb: SqlToken): void {
  const { cursor } = ctx;
  if (!cursor.takeWord('WHERE')) {
    throw notAllowed(
      `${verb.value} requires a WHERE clause.`,
      cursor.peek() ?? verb,
      'To change every record, add WHERE 1 = 1. The header Prefer: max-affected limits the number.',
    );
  }
  readExpression(ctx, null, { stop: 'clause' });
  if (cursor.takeWord('ORDER')) {
    cursor.expectWord('BY');
    readExpression(ctx, null, { stop: 'clause' });
  }
  if (cursor.takeWord('LIMIT')) readExpression(ctx, null, { stop: 'clause' });
}

function readReturning(ctx: ReadContext, rights: WriteRights, verb: SqlToken): void {
  const token = ctx.cursor.expectWord('RETURNING');
  if (!rights.hasReturning || verb.value === 'UPDATE') {
    const where = rights.hasReturning
      ? 'This server does not support RETURNING with UPDATE.'
      : 'This server does not support RETURNING.';
    throw invalidSql(where, token, 'Use a SELECT to read the rows.');
  }
  readExpression(ctx, null, { stop: 'clause', aliases: true });
}

/** Reads the name of the table after INSERT INTO. */
function readTarget(ctx: ReadContext, allowed: readonly string[], action: string): string {
  const { cursor } = ctx;
  let token = cursor.next();
  if (cursor.takeOperator('.')) {
    if (!isNameToken(token) || nameOf(token) !== ctx.names.schemaName) throw foreignSchema(token);
    token = cursor.next();
  }
  if (!isNameToken(token)) throw invalidSql('Expected a table name.', token);
  const name = nameOf(token);
  if (!allowed.includes(name)) {
    if (!ctx.names.tables.has(name)) throw unknownTable(ctx.names, name, token);
    throw notAllowed(`This key cannot ${action} "${name}".`, token);
  }
  ctx.qualifiers.add(foldName(name));
  if (ctx.names.tables.has(name)) resolveTable(ctx, null, token);
  return name;
}
