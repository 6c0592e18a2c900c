import { wordSet } from '../lexer/sql-words.js';
import { readExpression } from './read-expression.js';
import { readTableReferences } from './read-table-references.js';
import { type CteScope, noteGivenName, noteSelect, type ReadContext, resolveTable } from './read-context.js';
import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { noteClause } from './expand-stars.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';

const QUERY_WORDS: ReadonlySet<string> = wordSet('SELECT WITH VALUES TABLE');
const SET_OPERATORS: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT']);

/** Reports whether a query begins here, without a parenthesis before it. */
export function isAtQuery(ctx: ReadContext, ahead = 0): boolean {
  return ctx.cursor.isAnyWord(QUERY_WORDS, ahead);
}

/** Returns whether the next token is UNION, EXCEPT, INTERSECT or another set operator. */
export function isAtSetOperator(ctx: ReadContext): boolean {
  return ctx.cursor.isAnyWord(SET_OPERATORS);
}

/**
 * Reads a query of the form `[WITH …] term {UNION|EXCEPT|INTERSECT term} [ORDER BY …] [LIMIT …]`, up to `)`
 * or the end of the text.
 */
export function readQueryExpression(ctx: ReadContext, outer: CteScope | null): void {
  const scope = ctx.cursor.isWord('WITH') ? readWith(ctx, outer) : outer;
  readQueryTerm(ctx, scope);
  readQueryRest(ctx, scope);
}

/**
 * Reads the rest of a query after its first term: set operators with their terms, then ORDER BY and LIMIT of
 * the whole query.
 */
export function readQueryRest(ctx: ReadContext, scope: CteScope | null): void {
  while (isAtSetOperator(ctx)) {
    ctx.cursor.next();
    if (!ctx.cursor.takeWord('ALL')) ctx.cursor.takeWord('DISTINCT');
    readQueryTerm(ctx, scope);
  }
  readTail(ctx, scope);
}

function readQueryTerm(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  if (cursor.takeOperator('(')) {
    readQueryExpression(ctx, scope);
    cursor.expectOperator(')');
  } else if (cursor.isWord('SELECT')) noteSelect(ctx, () => readSelect(ctx, scope));
  else if (cursor.isWord('VALUES')) readValues(ctx, scope);
  else if (cursor.takeWord('TABLE')) {
    const token = cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected a table name after TABLE.', token);
    if (cursor.isOperator('.')) throw cursor.unexpected('the end of the name');
    const table = resolveTable(ctx, scope, token);
    if (table !== null && ctx.names.partial?.has(table) === true)
      throw notAllowed(
        'TABLE returns all columns, but this key cannot read some of them.',
        token,
        'Name the columns in a SELECT.',
      );
  } else throw cursor.unexpected('SELECT, VALUES or "("');
}

function readWith(ctx: ReadContext, outer: CteScope | null): CteScope {
  const { cursor } = ctx;
  cursor.expectWord('WITH');
  const names = new Set<string>();
  // With RECURSIVE, each expression can refer to all others, because MariaDB allows mutual recursion.
  // Otherwise, each can refer only to the previous ones.
  const isRecursive = cursor.takeWord('RECURSIVE');
  if (isRecursive) for (const name of cteNamesAhead(ctx)) names.add(name);
  do {
    // The expression is parsed before the next name is added, so it can refer only to the names so far.
    const scope: CteScope = { names, outer };
    const token = cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected a name in WITH.', token);
    noteGivenName(ctx, token);
    if (cursor.takeOperator('(')) readNameList(ctx);
    cursor.expectWord('AS');
    cursor.expectOperator('(');
    readQueryExpression(ctx, scope);
    cursor.expectOperator(')');
    if (cursor.takeWord('CYCLE')) readCycle(ctx);
    names.add(foldName(nameOf(token)));
    ctx.qualifiers.add(foldName(nameOf(token)));
  } while (cursor.takeOperator(','));
  return { names, outer };
}

/**
 * Returns the names of all expressions in the WITH list that begins here. A name is followed by `AS (` or by
 * its list of columns.
 */
function cteNamesAhead(ctx: ReadContext): string[] {
  const found: string[] = [];
  let depth = 0;
  let expectsName = true;
  for (let ahead = 0; ; ahead += 1) {
    const token = ctx.cursor.peek(ahead);
    if (token === undefined || depth < 0) return found;
    if (token.kind === 'operator' && token.value === '(') depth += 1;
    else if (token.kind === 'operator' && token.value === ')') depth -= 1;
    else if (depth > 0) continue;
    else if (expectsName && isNameToken(token)) {
      found.push(foldName(nameOf(token)));
      expectsName = false;
    } else if (token.kind === 'operator' && token.value === ',') expectsName = true;
    else if (ctx.cursor.isAnyWord(QUERY_WORDS, ahead)) return found;
  }
}

function readCycle(ctx: ReadContext): void {
  do {
    if (!isNameToken(ctx.cursor.next())) throw ctx.cursor.unexpected('column names after CYCLE');
  } while (ctx.cursor.takeOperator(','));
  ctx.cursor.expectWord('RESTRICT');
}

/** Reads a list of names up to and including `)`. */
export function readNameList(ctx: ReadContext): void {
  do {
    const token = ctx.cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected a list of names.', token);
    ctx.givenNames.add(foldName(nameOf(token)));
  } while (ctx.cursor.takeOperator(','));
  ctx.cursor.expectOperator(')');
}

function readValues(ctx: ReadContext, scope: CteScope | null): void {
  ctx.cursor.expectWord('VALUES');
  do {
    ctx.cursor.takeWord('ROW');
    ctx.cursor.expectOperator('(');
    readExpression(ctx, scope, { stop: 'paren' });
    ctx.cursor.expectOperator(')');
  } while (ctx.cursor.takeOperator(','));
}

function readSelect(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  cursor.expectWord('SELECT');
  noteClause(ctx, 'list', () => readExpression(ctx, scope, { stop: 'clause', aliases: true }));
  if (cursor.takeWord('FROM')) noteClause(ctx, 'from', () => readTableReferences(ctx, scope));
  if (cursor.takeWord('WHERE'))
    noteClause(ctx, 'where', () => readExpression(ctx, scope, { stop: 'clause' }));
  if (cursor.isWord('GROUP')) {
    cursor.next();
    cursor.expectWord('BY');
    noteClause(ctx, 'group', () => readExpression(ctx, scope, { stop: 'clause' }));
  }
  if (cursor.takeWord('HAVING'))
    noteClause(ctx, 'having', () => readExpression(ctx, scope, { stop: 'clause' }));
  if (cursor.isWord('WINDOW')) readWindows(ctx, scope);
  readTail(ctx, scope);
}

function readWindows(ctx: ReadContext, scope: CteScope | null): void {
  ctx.cursor.expectWord('WINDOW');
  do {
    const token = ctx.cursor.next();
    if (!isNameToken(token)) throw invalidSql('Expected a window name.', token);
    ctx.givenNames.add(foldName(nameOf(token)));
    ctx.cursor.expectWord('AS');
    ctx.cursor.expectOperator('(');
    readExpression(ctx, scope, { stop: 'paren' });
    ctx.cursor.expectOperator(')');
  } while (ctx.cursor.takeOperator(','));
}

/** Reads the end of a query: ORDER BY, LIMIT, OFFSET and FETCH, each at most once and in this order. */
function readTail(ctx: ReadContext, scope: CteScope | null): void {
  const { cursor } = ctx;
  if (cursor.isWord('ORDER')) {
    cursor.next();
    cursor.expectWord('BY');
    noteClause(ctx, 'order', () => readExpression(ctx, scope, { stop: 'clause' }));
  }
  if (cursor.takeWord('LIMIT')) readExpression(ctx, scope, { stop: 'clause' });
  if (cursor.takeWord('OFFSET')) readExpression(ctx, scope, { stop: 'clause' });
  if (cursor.takeWord('FETCH')) readExpression(ctx, scope, { stop: 'clause' });
}
