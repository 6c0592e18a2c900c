import { foldName, isNameToken, nameOf } from '../lexer/names.js';
import { invalidSql, notAllowed } from '../lexer/sql-fault.js';
import {
  RESERVED_WORDS,
  SOFT_WORDS,
  WORDS_BEFORE_PAREN,
  WORDS_BEFORE_PAREN_BEHIND,
  wordSet,
} from '../lexer/sql-words.js';
import type { SqlToken } from '../types.js';
import { ALLOWED_FUNCTIONS, FUNCTIONS_WITH_FROM, TYPES_WITH_ARGUMENTS } from './allowed-functions.js';
import { noteStar } from './expand-stars.js';
import { type CteScope, foreignSchema, type ReadContext } from './read-context.js';
import { isAtQuery, isAtSetOperator, readQueryExpression, readQueryRest } from './read-query-expression.js';

export interface ExpressionOptions {
  /**
   * The positions at which the expression ends, in addition to `)`, `}` and the end of the text. `paren`:
   * nowhere else. `clause`: at a word that begins a clause. `join`: also where a list of tables continues.
   */
  readonly stop: 'paren' | 'clause' | 'join';
  /** Whether the expression is in a select list. There, a name after a value or after AS is an alias. */
  readonly aliases?: boolean;
  /** Whether FROM and FOR are separators, as in `EXTRACT(x FROM y)` and `SUBSTRING(x FROM y FOR z)`. */
  readonly separators?: boolean;
  /** Whether the expression is in the arguments of JSON_TABLE, or in its COLUMNS clause. */
  readonly jsonTable?: 'arguments' | 'columns';
  /** Whether the expression is in ON DUPLICATE KEY UPDATE, where VALUES(column) is a value. */
  readonly comesWithRow?: boolean;
}

const CLAUSE_WORDS: ReadonlySet<string> = wordSet('FROM WHERE GROUP HAVING ORDER LIMIT FETCH');
const SET_WORDS: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT']);
const JOIN_STOPS: ReadonlySet<string> = wordSet('JOIN STRAIGHT_JOIN NATURAL INNER CROSS LEFT RIGHT ON USING');
const MISPLACED_WORDS: ReadonlySet<string> = wordSet('SELECT TABLE VALUES FOR WITH FROM SET');
const BEHIND_WITH: ReadonlySet<string> = new Set(['ROLLUP', 'QUERY', 'TIES']);
/** Words after which the next name is a collation, a character set or a window. */
const BEFORE_OTHER_NAMES: ReadonlySet<string> = wordSet('COLLATE USING SET OVER AS');
const VALUE_WORDS: ReadonlySet<string> = wordSet('END NULL TRUE FALSE');

/**
 * Reads one or more expressions up to the token at which they end. This token is not consumed. Nested queries
 * are parsed as queries.
 */
export function readExpression(ctx: ReadContext, scope: CteScope | null, options: ExpressionOptions): void {
  const { cursor } = ctx;
  for (let token = cursor.peek(); token !== undefined; token = cursor.peek()) {
    if (token.kind === 'operator') {
      if (token.value === ')' || token.value === '}') return;
      if (token.value === ',' && options.stop === 'join') return;
      readOperator(ctx, scope, token, options);
    } else if (!isNameToken(token)) cursor.next();
    else if (isStop(ctx, options)) return;
    else if (options.stop === 'paren' && isAtSetOperator(ctx)) readQueryRest(ctx, scope);
    else readName(ctx, scope, token, options);
  }
}

function readOperator(
  ctx: ReadContext,
  scope: CteScope | null,
  token: SqlToken,
  options: ExpressionOptions,
): void {
  if (token.value === '*' && options.aliases === true && isAllColumns(ctx)) noteStar(ctx, token, null);
  if (token.value === '(') readGroup(ctx, scope, { stop: 'paren' });
  else if (token.value === '{') readEscape(ctx);
  else if (token.value === '.' || token.value === ':' || token.value === ';') {
    throw invalidSql(`Unexpected "${token.value}".`, token);
  } else ctx.cursor.next();
}

function isStop(ctx: ReadContext, options: ExpressionOptions): boolean {
  const { cursor } = ctx;
  if (options.stop === 'paren') return false;
  // The word GROUP belongs to WITHIN GROUP (ORDER BY …).
  if (cursor.isWord('GROUP') && cursor.isOperator('(', 1)) return false;
  if (cursor.isAnyWord(CLAUSE_WORDS) || cursor.isAnyWord(SET_WORDS)) return true;
  if (ctx.names.isWrite === true && isAtWriteClause(ctx)) return true;
  if (cursor.isWord('WINDOW'))
    return isNameToken(cursor.peek(1)) && cursor.isWord('AS', 2) && cursor.isOperator('(', 3);
  if (cursor.isWord('OFFSET'))
    return cursor.peek(1)?.kind === 'number' || cursor.peek(1)?.kind === 'parameter';
  return options.stop === 'join' && cursor.isAnyWord(JOIN_STOPS) && !isJoinFunction(ctx);
}

/** Reports whether the next token begins a clause that only writes have. */
export function isAtWriteClause({ cursor }: ReadContext): boolean {
  if (cursor.isWord('RETURNING')) return true;
  if (cursor.isWord('ON')) return cursor.isWord('DUPLICATE', 1) && cursor.isWord('KEY', 2);
  return cursor.isWord('SET') && !cursor.isWord('CHARACTER', -1) && !cursor.isWord('CHAR', -1);
}

/** Reports whether LEFT or RIGHT is a function here instead of a part of a join. */
function isJoinFunction(ctx: ReadContext): boolean {
  return (ctx.cursor.isWord('LEFT') || ctx.cursor.isWord('RIGHT')) && ctx.cursor.isOperator('(', 1);
}

/** Reports whether `*` means all columns instead of a multiplication. */
function isAllColumns({ cursor, names }: ReadContext): boolean {
  const before = cursor.following();
  return (
    before !== undefined && (!endsValue(before) || (names.isWrite === true && cursor.isWord('RETURNING', -1)))
  );
}

/**
 * Reads `(…)`, which contains a query or expressions. If it begins with a query in parentheses, set operators
 * may follow this query.
 */
function readGroup(ctx: ReadContext, scope: CteScope | null, options: ExpressionOptions): void {
  ctx.cursor.expectOperator('(');
  if (isAtQuery(ctx)) readQueryExpression(ctx, scope);
  else readExpression(ctx, scope, options);
  ctx.cursor.expectOperator(')');
}

/**
 * Reads an ODBC escape: `{d '…'}`, `{t '…'}` or `{ts '…'}`. Other escapes are rejected, because they may
 * contain a table.
 */
function readEscape(ctx: ReadContext): void {
  const { cursor } = ctx;
  const opening = cursor.expectOperator('{');
  const word = cursor.next();
  const isKnown = word.kind === 'word' && (word.value === 'D' || word.value === 'T' || word.value === 'TS');
  if (!isKnown || cursor.peek()?.kind !== 'string') {
    throw notAllowed('Unknown escape in braces. Only {d}, {t}, {ts} and {oj} are supported.', opening);
  }
  cursor.next();
  cursor.expectOperator('}');
}

function readName(
  ctx: ReadContext,
  scope: CteScope | null,
  token: SqlToken,
  options: ExpressionOptions,
): void {
  const { cursor } = ctx;
  if (token.kind === 'word' && readKeyword(ctx, token, options)) return;
  cursor.next();
  if (cursor.isOperator('(')) {
    readFollowingParen(ctx, scope, token, options);
    return;
  }
  if (cursor.isOperator('.')) {
    readQualifiedName(ctx, token);
    return;
  }
  recordName(ctx, token, options);
}

/** Reads a word that has special rules. Returns true if the word was read. */
function readKeyword(ctx: ReadContext, token: SqlToken, options: ExpressionOptions): boolean {
  const { cursor } = ctx;
  if (token.value === 'AS' && options.aliases === true) {
    cursor.next();
    const alias = cursor.next();
    if (isNameToken(alias)) ctx.givenNames.add(foldName(nameOf(alias)));
    else if (alias.kind !== 'string') throw invalidSql('Expected a name after AS.', alias);
    if (cursor.isOperator('(')) throw cursor.unexpected('a comma or FROM');
    return true;
  }
  if (token.value === 'JOIN') throw invalidSql('Unexpected JOIN.', token);
  if (!MISPLACED_WORDS.has(token.value)) return false;
  if (token.value === 'VALUES' && options.comesWithRow === true && cursor.isOperator('(', 1)) {
    cursor.next();
    return true;
  }
  if (token.value === 'WITH' && cursor.isAnyWord(BEHIND_WITH, 1)) return false;
  if (token.value === 'FROM' && options.separators === true) return false;
  if (token.value === 'FOR' && (options.separators === true || options.jsonTable === 'columns')) return false;
  // Here, SET can only be part of CHARACTER SET. Every other SET was rejected earlier.
  if (token.value === 'SET') return false;
  throw invalidSql(`Unexpected ${token.value}.`, token);
}

/**
 * Reads the parenthesis after `token`, which must be an allowed function, a type, or a word that may precede
 * a parenthesis.
 */
function readFollowingParen(
  ctx: ReadContext,
  scope: CteScope | null,
  token: SqlToken,
  options: ExpressionOptions,
): void {
  if (token.kind === 'word' && isWordBeforeParen(ctx, token)) return;
  if (token.kind === 'word' && token.value === 'COLUMNS' && options.jsonTable !== undefined) {
    readGroup(ctx, scope, { stop: 'paren', jsonTable: 'columns' });
    return;
  }
  const name = nameOf(token).toUpperCase();
  const isType = token.kind === 'word' && TYPES_WITH_ARGUMENTS.has(name);
  // To decide whether a text is SQL, any name directly before a parenthesis is a function call.
  const isCallByForm = ctx.names.isOpen && ctx.cursor.peek()?.start === token.end;
  if (!ALLOWED_FUNCTIONS.has(name) && !isType && !isCallByForm) {
    throw notAllowed(`The function ${nameOf(token)} is not allowed.`, token);
  }
  readCall(ctx, scope, token);
}

/**
 * Reads the arguments of a function call, starting at `(`. The caller has already checked the function's
 * name.
 */
export function readCall(ctx: ReadContext, scope: CteScope | null, token: SqlToken): void {
  readGroup(ctx, scope, {
    stop: 'paren',
    separators: FUNCTIONS_WITH_FROM.has(nameOf(token).toUpperCase()),
    ...(token.kind === 'word' && token.value === 'JSON_TABLE' ? { jsonTable: 'arguments' as const } : {}),
  });
}

/** Reports whether the last token that was read is a word that may precede a parenthesis. */
function isWordBeforeParen(ctx: ReadContext, token: SqlToken): boolean {
  if (WORDS_BEFORE_PAREN.has(token.value))
    return !ALLOWED_FUNCTIONS.has(token.value) || token.value === 'INTERVAL';
  const before = ctx.cursor.peek(-2);
  return before !== undefined && WORDS_BEFORE_PAREN_BEHIND.get(token.value)?.has(before.value) === true;
}

/**
 * Reads `table.column`, `table.*` or `schema.table.column`. The first name was already read, and the next
 * token is a dot.
 */
function readQualifiedName(ctx: ReadContext, first: SqlToken): void {
  const { cursor } = ctx;
  const parts: SqlToken[] = [first];
  while (cursor.takeOperator('.')) {
    const token = cursor.next();
    if (token.kind !== 'word' && token.kind !== 'quoted' && token.value !== '*') {
      throw invalidSql('Expected a name after the dot.', token);
    }
    parts.push(token);
  }
  if (cursor.isOperator('(')) throw notAllowed('Remove the schema before the name of the function.', first);
  if (parts.length > 3) throw invalidSql('A name has too many parts.', first);
  if (parts.length === 3 && nameOf(first) !== ctx.names.schemaName && !ctx.names.isOpen)
    throw foreignSchema(first);
  const [qualifier, name] = parts.slice(-2);
  if (qualifier === undefined || name === undefined) return;
  ctx.columns.push({ qualifier, name });
  if (name.value === '*' && name.kind === 'operator') noteStar(ctx, name, qualifier);
}

/** Records a name without a qualifier, which is an alias, a column or a keyword. */
function recordName(ctx: ReadContext, token: SqlToken, options: ExpressionOptions): void {
  if (token.kind === 'word' && RESERVED_WORDS.has(token.value)) return;
  const before = ctx.cursor.peek(-2);
  if (options.jsonTable === 'columns') ctx.givenNames.add(foldName(nameOf(token)));
  else if (before !== undefined && endsValue(before)) {
    if (options.aliases === true) ctx.givenNames.add(foldName(nameOf(token)));
  } else if (token.kind === 'word' && SOFT_WORDS.has(token.value)) return;
  else if (before?.kind === 'word' && BEFORE_OTHER_NAMES.has(before.value)) return;
  else if (token.kind === 'word' && token.value.startsWith('_') && ctx.cursor.peek()?.kind === 'string')
    return;
  else ctx.columns.push({ qualifier: null, name: token });
}

/** Reports whether a value ends with this token. A name after it is then not another value. */
function endsValue(token: SqlToken): boolean {
  if (token.kind === 'operator') return token.value === ')';
  if (token.kind !== 'word') return true;
  return VALUE_WORDS.has(token.value) || !RESERVED_WORDS.has(token.value);
}
