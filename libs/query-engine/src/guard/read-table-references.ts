import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';
import { RESERVED_WORDS, wordSet } from '../lexer/sql-words.js';
import type { SqlToken } from '../types.js';
import { noteFactor, noteMerge } from './expand-stars.js';
import {
  type CteScope,
  foreignSchema,
  noteGivenName,
  type ReadContext,
  resolveQualifiedTable,
  resolveTable,
} from './read-context.js';
import { isAtWriteClause, readCall, readExpression } from './read-expression.js';
import {
  isAtQuery,
  isAtSetOperator,
  readNameList,
  readQueryExpression,
  readQueryRest,
} from './read-query-expression.js';

const JOIN_WORDS: ReadonlySet<string> = wordSet('NATURAL INNER CROSS LEFT RIGHT JOIN STRAIGHT_JOIN');
const JOIN_PREFIXES: ReadonlySet<string> = wordSet('NATURAL INNER CROSS LEFT RIGHT OUTER');
const HINT_WORDS: ReadonlySet<string> = new Set(['USE', 'FORCE', 'IGNORE']);

/**
 * Reads the list of tables after FROM, or in parentheses. It ends at a word that begins a clause, `)`, `}` or
 * the end of the text.
 */
export function readTableReferences(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  readTableFactor(ctx, scope);
  for (;;) {
    if (cursor.takeOperator(',')) readTableFactor(ctx, scope);
    else if (cursor.isAnyWord(JOIN_WORDS)) {
      readJoinWords(ctx);
      readTableFactor(ctx, scope);
    } else if (cursor.isWord('ON') && !(ctx.names.isWrite === true && isAtWriteClause(ctx))) {
      cursor.next();
      readExpression(ctx, scope, { stop: 'join' });
    } else if (cursor.takeWord('USING')) {
      noteMerge(ctx);
      cursor.expectOperator('(');
      readNameList(ctx);
    } else return;
  }
}

function readJoinWords(ctx: ReadContext): void {
  const { cursor } = ctx;
  if (cursor.takeWord('STRAIGHT_JOIN')) return;
  if (cursor.isWord('NATURAL')) noteMerge(ctx);
  while (cursor.isAnyWord(JOIN_PREFIXES)) cursor.next();
  if (!cursor.isWord('JOIN')) throw cursor.unexpected('JOIN');
  cursor.next();
}

function readTableFactor(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  if (cursor.isOperator('(')) {
    readParenthesised(ctx, scope);
    readDerivedAlias(ctx);
    return;
  }
  if (cursor.isOperator('{')) {
    readOuterJoinEscape(ctx, scope);
    return;
  }
  if (cursor.isWord('LATERAL') && cursor.isOperator('(', 1)) {
    cursor.next();
    readParenthesised(ctx, scope);
    readDerivedAlias(ctx);
    return;
  }
  if (cursor.isWord('JSON_TABLE') && cursor.isOperator('(', 1)) {
    readCall(ctx, scope, cursor.next());
    readDerivedAlias(ctx);
    return;
  }
  if (cursor.takeWord('DUAL')) return;
  const { token, table } = readTableName(ctx, scope);
  const alias = readTableOptions(ctx, scope);
  const named = alias ?? token;
  noteFactor(ctx, { token: named, name: nameOf(named), table });
}

/** Reads a derived table or a list of tables, in parentheses. */
function readParenthesised(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  cursor.expectOperator('(');
  if (isAtQuery(ctx)) readQueryExpression(ctx, scope);
  else {
    readTableReferences(ctx, scope);
    // In `((SELECT …) UNION …)`, the first parenthesis does not begin a list of tables but a query.
    if (isAtSetOperator(ctx) || cursor.isWord('ORDER') || cursor.isWord('LIMIT')) readQueryRest(ctx, scope);
  }
  cursor.expectOperator(')');
}

/**
 * Reads the ODBC escape `{oj a LEFT JOIN b ON …}`. MariaDB accepts any word in place of `oj`, but no other
 * word is allowed here.
 */
function readOuterJoinEscape(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  cursor.expectOperator('{');
  cursor.expectWord('OJ');
  readTableReferences(ctx, scope);
  cursor.expectOperator('}');
}

function readTableName(
  ctx: ReadContext,
  scope: CteScope | null,
): { readonly token: SqlToken; readonly table: string | null } {
  const { cursor } = ctx;
  const first = cursor.peek();
  if (!isNameToken(first)) throw cursor.unexpected('a table name');
  if (first.kind === 'word' && RESERVED_WORDS.has(first.value)) throw cursor.unexpected('a table name');
  cursor.next();
  if (cursor.isOperator('(')) throw notAllowed(`"${nameOf(first)}" is not a table function.`, first);
  if (!cursor.takeOperator('.')) return { token: first, table: resolveTable(ctx, scope, first) };
  const second = cursor.next();
  if (!isNameToken(second)) throw invalidSql('Expected a table name after the dot.', second);
  if (cursor.isOperator('.')) throw foreignSchema(first);
  return { token: second, table: resolveQualifiedTable(ctx, first, second) };
}

/** Reads the options after a table's name. Returns its alias, or null if it has none. */
function readTableOptions(ctx: ReadContext, scope: CteScope | null): SqlToken | null {
  const { cursor } = ctx;
  if (cursor.isWord('PARTITION') && cursor.isOperator('(', 1)) {
    cursor.next();
    cursor.next();
    readNameList(ctx);
  }
  if (cursor.isWord('FOR') && cursor.isWord('SYSTEM_TIME', 1)) readSystemTime(ctx, scope);
  const alias = readAlias(ctx);
  while (cursor.isAnyWord(HINT_WORDS)) readIndexHint(ctx);
  return alias;
}

/** Reads FOR SYSTEM_TIME of a system-versioned table (MariaDB). */
function readSystemTime(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  cursor.next();
  cursor.next();
  if (cursor.takeWord('ALL')) return;
  if (cursor.takeWord('BETWEEN')) readPointInTime(ctx, scope, 'AND');
  else if (cursor.takeWord('FROM')) readPointInTime(ctx, scope, 'TO');
  else {
    cursor.expectWord('AS');
    cursor.expectWord('OF');
    readPointInTime(ctx, scope, null);
  }
}

/**
 * Reads a point in time: `[TIMESTAMP|TRANSACTION] literal`, or a function call. If `between` is given, reads
 * two of them, separated by this word.
 */
function readPointInTime(ctx: ReadContext, scope: CteScope | null, between: string | null): void {
  const { cursor } = ctx;
  if (cursor.isWord('TIMESTAMP') || cursor.isWord('TRANSACTION')) cursor.next();
  const token = cursor.next();
  if (isNameToken(token)) {
    if (!cursor.isOperator('(')) throw invalidSql('Expected a point in time.', token);
    readCall(ctx, scope, token);
  } else if (token.kind === 'operator') throw invalidSql('Expected a point in time.', token);
  if (between === null) return;
  cursor.expectWord(between);
  readPointInTime(ctx, scope, null);
}

/** Reads `[AS] alias`. Returns null without an alias. */
function readAlias(ctx: ReadContext): SqlToken | null {
  const { cursor } = ctx;
  const hasAs = cursor.takeWord('AS');
  const token = cursor.peek();
  const isName = isNameToken(token) && (token.kind === 'quoted' || !RESERVED_WORDS.has(token.value));
  if (!isName || (!hasAs && isClauseHere(ctx))) {
    if (hasAs) throw cursor.unexpected('a name after AS');
    return null;
  }
  ctx.qualifiers.add(foldName(nameOf(token)));
  noteGivenName(ctx, token);
  cursor.next();
  return token;
}

/**
 * Reports whether a clause begins here. WINDOW and OFFSET are reserved on only one engine, so they begin a
 * clause only in its complete form and are names otherwise.
 */
function isClauseHere(ctx: ReadContext): boolean {
  const { cursor } = ctx;
  if (ctx.names.isWrite === true && cursor.isWord('RETURNING')) return true;
  if (cursor.isWord('WINDOW'))
    return isNameToken(cursor.peek(1)) && cursor.isWord('AS', 2) && cursor.isOperator('(', 3);
  if (!cursor.isWord('OFFSET')) return false;
  const following = cursor.peek(1);
  return following?.kind === 'number' || following?.kind === 'parameter';
}

/** Reads the alias of a derived table. In MySQL, column names may follow it. */
function readDerivedAlias(ctx: ReadContext): void {
  const alias = readAlias(ctx);
  if (alias === null) return;
  noteFactor(ctx, { token: alias, name: nameOf(alias), table: null });
  if (ctx.cursor.takeOperator('(')) readNameList(ctx);
}

function readIndexHint(ctx: ReadContext): void {
  const { cursor } = ctx;
  cursor.next();
  if (!cursor.takeWord('INDEX')) cursor.expectWord('KEY');
  if (cursor.takeWord('FOR')) {
    if (cursor.takeWord('ORDER') || cursor.takeWord('GROUP')) cursor.expectWord('BY');
    else cursor.expectWord('JOIN');
  }
  cursor.expectOperator('(');
  if (cursor.takeOperator(')')) return;
  do {
    if (!isNameToken(cursor.next())) throw cursor.unexpected('index names');
  } while (cursor.takeOperator(','));
  cursor.expectOperator(')');
}
