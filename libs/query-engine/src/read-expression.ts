import { ALLOWED_FUNCTIONS, FUNCTIONS_WITH_FROM, TYPES_WITH_ARGUMENTS } from './allowed-functions.js';
import { noteStar } from './expand-stars.js';
import { isAtQuery, isAtSetOperator, readQueryExpression, readQueryRest } from './read-query-expression.js';
import { foldName, foreignSchema, isNameToken, nameOf, type CteScope, type ReadContext } from './read-context.js';
import { invalidSql, notAllowed } from './sql-fault.js';
import { RESERVED_WORDS, SOFT_WORDS, WORDS_BEFORE_PAREN, WORDS_BEFORE_PAREN_BEHIND } from './sql-words.js';
import type { SqlToken } from './types.js';

export interface ExpressionOptions {
  /** Besides `)`, `}` and the end: nothing, a clause word, or also what continues a list of tables. */
  readonly stop: 'paren' | 'clause' | 'join';
  /** A list of SELECT: names behind a value or AS are aliases. */
  readonly aliases?: boolean;
  /** `EXTRACT(x FROM y)`, `SUBSTRING(x FROM y FOR z)`. */
  readonly separators?: boolean;
  /** `columns`: the list in JSON_TABLE's COLUMNS. */
  readonly jsonTable?: 'arguments' | 'columns';
  /** Of ON DUPLICATE KEY UPDATE: VALUES(column) is a value. */
  readonly comesWithRow?: boolean;
}

const CLAUSE_WORDS: ReadonlySet<string> = new Set(['FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'FETCH']);
const SET_WORDS: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT']);
const JOIN_STOPS: ReadonlySet<string> = new Set([
  'JOIN',
  'STRAIGHT_JOIN',
  'NATURAL',
  'INNER',
  'CROSS',
  'LEFT',
  'RIGHT',
  'ON',
  'USING',
]);
const MISPLACED_WORDS: ReadonlySet<string> = new Set(['SELECT', 'TABLE', 'VALUES', 'FOR', 'WITH', 'FROM', 'SET']);
const BEHIND_WITH: ReadonlySet<string> = new Set(['ROLLUP', 'QUERY', 'TIES']);
/** What follows these names a collation, a character set or a window. */
const BEFORE_OTHER_NAMES: ReadonlySet<string> = new Set(['COLLATE', 'USING', 'SET', 'OVER', 'AS']);
const VALUE_WORDS: ReadonlySet<string> = new Set(['END', 'NULL', 'TRUE', 'FALSE']);

/** One or more expressions up to the stop, which stays. Any nested query is read as one. */
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

function readOperator(ctx: ReadContext, scope: CteScope | null, token: SqlToken, options: ExpressionOptions): void {
  if (token.value === '*' && options.aliases === true && isAllColumns(ctx)) noteStar(ctx, token, null);
  if (token.value === '(') readGroup(ctx, scope, { stop: 'paren' });
  else if (token.value === '{') readEscape(ctx);
  else if (token.value === '.' || token.value === ':' || token.value === ';') {
    throw invalidSql(`"${token.value}" has no meaning here.`, token);
  } else ctx.cursor.next();
}

function isStop(ctx: ReadContext, options: ExpressionOptions): boolean {
  const { cursor } = ctx;
  if (options.stop === 'paren') return false;
  // WITHIN GROUP (ORDER BY …)
  if (cursor.isWord('GROUP') && cursor.isOperator('(', 1)) return false;
  if (cursor.isAnyWord(CLAUSE_WORDS) || cursor.isAnyWord(SET_WORDS)) return true;
  if (ctx.names.isWrite === true && isAtWriteClause(ctx)) return true;
  if (cursor.isWord('WINDOW')) return isNameToken(cursor.peek(1)) && cursor.isWord('AS', 2) && cursor.isOperator('(', 3);
  if (cursor.isWord('OFFSET')) return cursor.peek(1)?.kind === 'number' || cursor.peek(1)?.kind === 'parameter';
  return options.stop === 'join' && cursor.isAnyWord(JOIN_STOPS) && !isJoinFunction(ctx);
}

/** What follows a value in a statement that writes, besides the clauses of a query. */
export function isAtWriteClause({ cursor }: ReadContext): boolean {
  if (cursor.isWord('RETURNING')) return true;
  if (cursor.isWord('ON')) return cursor.isWord('DUPLICATE', 1) && cursor.isWord('KEY', 2);
  return cursor.isWord('SET') && !cursor.isWord('CHARACTER', -1) && !cursor.isWord('CHAR', -1);
}

/** LEFT and RIGHT are functions too. */
function isJoinFunction(ctx: ReadContext): boolean {
  return (ctx.cursor.isWord('LEFT') || ctx.cursor.isWord('RIGHT')) && ctx.cursor.isOperator('(', 1);
}

/** All columns, and no product of two values. */
function isAllColumns({ cursor, names }: ReadContext): boolean {
  const before = cursor.behind();
  return before !== undefined && (!endsValue(before) || (names.isWrite === true && cursor.isWord('RETURNING', -1)));
}

/** `(…)`: a query, or expressions (with set operators when it begins with a query in parentheses). */
function readGroup(ctx: ReadContext, scope: CteScope | null, options: ExpressionOptions): void {
  ctx.cursor.expectOperator('(');
  if (isAtQuery(ctx)) readQueryExpression(ctx, scope);
  else readExpression(ctx, scope, options);
  ctx.cursor.expectOperator(')');
}

/** `{d '…'}`, `{t '…'}`, `{ts '…'}`. Other escapes may hide a table. */
function readEscape(ctx: ReadContext): void {
  const { cursor } = ctx;
  const opening = cursor.expectOperator('{');
  const word = cursor.next();
  const isKnown = word.kind === 'word' && (word.value === 'D' || word.value === 'T' || word.value === 'TS');
  if (!isKnown || cursor.peek()?.kind !== 'string') {
    throw notAllowed('Of the escapes in braces only {d}, {t}, {ts} and {oj} are read.', opening);
  }
  cursor.next();
  cursor.expectOperator('}');
}

function readName(ctx: ReadContext, scope: CteScope | null, token: SqlToken, options: ExpressionOptions): void {
  const { cursor } = ctx;
  if (token.kind === 'word' && readKeyword(ctx, token, options)) return;
  cursor.next();
  if (cursor.isOperator('(')) {
    readParenBehind(ctx, scope, token, options);
    return;
  }
  if (cursor.isOperator('.')) {
    readQualifiedName(ctx, token);
    return;
  }
  recordName(ctx, token, options);
}

/** Words with a rule of their own; true when the word is done with. */
function readKeyword(ctx: ReadContext, token: SqlToken, options: ExpressionOptions): boolean {
  const { cursor } = ctx;
  if (token.value === 'AS' && options.aliases === true) {
    cursor.next();
    const alias = cursor.next();
    if (isNameToken(alias)) ctx.givenNames.add(foldName(nameOf(alias)));
    else if (alias.kind !== 'string') throw invalidSql('Expected a name behind AS.', alias);
    if (cursor.isOperator('(')) throw cursor.unexpected('a comma or FROM');
    return true;
  }
  if (token.value === 'JOIN') throw invalidSql('JOIN has no place here.', token);
  if (!MISPLACED_WORDS.has(token.value)) return false;
  if (token.value === 'VALUES' && options.comesWithRow === true && cursor.isOperator('(', 1)) {
    cursor.next();
    return true;
  }
  if (token.value === 'WITH' && cursor.isAnyWord(BEHIND_WITH, 1)) return false;
  if (token.value === 'FROM' && options.separators === true) return false;
  if (token.value === 'FOR' && (options.separators === true || options.jsonTable === 'columns')) return false;
  // CHARACTER SET; anything else was refused before.
  if (token.value === 'SET') return false;
  throw invalidSql(`${token.value} has no place here.`, token);
}

/** `token` is taken and `(` is next: a word that may precede parentheses, a type, or an allowed function. */
function readParenBehind(ctx: ReadContext, scope: CteScope | null, token: SqlToken, options: ExpressionOptions): void {
  if (token.kind === 'word' && isWordBeforeParen(ctx, token)) return;
  if (token.kind === 'word' && token.value === 'COLUMNS' && options.jsonTable !== undefined) {
    readGroup(ctx, scope, { stop: 'paren', jsonTable: 'columns' });
    return;
  }
  const name = nameOf(token).toUpperCase();
  const isType = token.kind === 'word' && TYPES_WITH_ARGUMENTS.has(name);
  // Where only the form counts, a call is a name that touches its parenthesis.
  const isCallByForm = ctx.names.isOpen && ctx.cursor.peek()?.start === token.end;
  if (!ALLOWED_FUNCTIONS.has(name) && !isType && !isCallByForm) {
    throw notAllowed(`The function ${nameOf(token)} is not allowed here.`, token);
  }
  readCall(ctx, scope, token);
}

/** Arguments of a call, from `(` on. The caller has checked the name. */
export function readCall(ctx: ReadContext, scope: CteScope | null, token: SqlToken): void {
  readGroup(ctx, scope, {
    stop: 'paren',
    separators: FUNCTIONS_WITH_FROM.has(nameOf(token).toUpperCase()),
    ...(token.kind === 'word' && token.value === 'JSON_TABLE' ? { jsonTable: 'arguments' as const } : {}),
  });
}

/** `token` is the last one taken. */
function isWordBeforeParen(ctx: ReadContext, token: SqlToken): boolean {
  if (WORDS_BEFORE_PAREN.has(token.value)) return !ALLOWED_FUNCTIONS.has(token.value) || token.value === 'INTERVAL';
  const before = ctx.cursor.peek(-2);
  return before !== undefined && WORDS_BEFORE_PAREN_BEHIND.get(token.value)?.has(before.value) === true;
}

/** `first` is taken and a dot is next: `table.column`, `table.*`, `schema.table.column`. */
function readQualifiedName(ctx: ReadContext, first: SqlToken): void {
  const { cursor } = ctx;
  const parts: SqlToken[] = [first];
  while (cursor.takeOperator('.')) {
    const token = cursor.next();
    if (token.kind !== 'word' && token.kind !== 'quoted' && token.value !== '*') {
      throw invalidSql('Expected a name behind the dot.', token);
    }
    parts.push(token);
  }
  if (cursor.isOperator('(')) throw notAllowed('Functions are called without a schema in front of them.', first);
  if (parts.length > 3) throw invalidSql('A name has too many parts.', first);
  if (parts.length === 3 && nameOf(first) !== ctx.names.schemaName && !ctx.names.isOpen) throw foreignSchema(first);
  const [qualifier, name] = parts.slice(-2);
  if (qualifier === undefined || name === undefined) return;
  ctx.columns.push({ qualifier, name });
  if (name.value === '*' && name.kind === 'operator') noteStar(ctx, name, qualifier);
}

/** A lone name: an alias, a column, or a word of the language. */
function recordName(ctx: ReadContext, token: SqlToken, options: ExpressionOptions): void {
  if (token.kind === 'word' && RESERVED_WORDS.has(token.value)) return;
  const before = ctx.cursor.peek(-2);
  if (options.jsonTable === 'columns') ctx.givenNames.add(foldName(nameOf(token)));
  else if (before !== undefined && endsValue(before)) {
    if (options.aliases === true) ctx.givenNames.add(foldName(nameOf(token)));
  } else if (token.kind === 'word' && SOFT_WORDS.has(token.value)) return;
  else if (before?.kind === 'word' && BEFORE_OTHER_NAMES.has(before.value)) return;
  else if (token.kind === 'word' && token.value.startsWith('_') && ctx.cursor.peek()?.kind === 'string') return;
  else ctx.columns.push({ qualifier: null, name: token });
}

/** Whether a value ends with this token, so that a name behind it is no value of its own. */
function endsValue(token: SqlToken): boolean {
  if (token.kind === 'operator') return token.value === ')';
  if (token.kind !== 'word') return true;
  return VALUE_WORDS.has(token.value) || !RESERVED_WORDS.has(token.value);
}
