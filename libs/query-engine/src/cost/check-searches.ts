import { wordSet } from '../lexer/sql-words.js';
import { notAllowed } from '../lexer/sql-fault.js';
import type { QueryValue, SqlToken } from '../types.js';

/**
 * Functions and operators whose execution time grows with the product of the sizes of their arguments. While
 * such a function processes one row, neither KILL nor a time limit stops it.
 */
const SEARCHES: ReadonlySet<string> = wordSet(`
  LOCATE POSITION INSTR SUBSTRING_INDEX REPLACE LIKE REGEXP RLIKE REGEXP_INSTR REGEXP_LIKE REGEXP_REPLACE
  REGEXP_SUBSTR JSON_CONTAINS JSON_OVERLAPS JSON_SEARCH JSON_ARRAY_INTERSECT
`);
const SPATIAL = /^ST_/;
/**
 * The maximum size of text that a statement with such a function may build. A text of twice this size takes
 * about a second.
 */
const BUILT_MAX = 50_000;
/** The assumed size of a column's value, because the real size is not known here. */
const COLUMN_SIZE = 64;
const NUMBER_SIZE = 20;
const UNBOUNDED = 1e9;
/**
 * The number of rounds for which the values of a recursive query are assumed to grow. After that, the width
 * of the columns is fixed by the first part of the query.
 */
const ROUNDS = 4;
/** The maximum depth of JSON documents. */
const DEPTH = 100;
/** For each function, the maximum ratio of the size of its result to the total size of its arguments. */
const GROWTH: ReadonlyMap<string, number> = new Map([
  ...['HEX', 'QUOTE', 'TO_BASE64', 'WEIGHT_STRING', 'NATURAL_SORT_KEY', 'JSON_LOOSE'].map(
    (name) => [name, 2] as const,
  ),
  // JSON_QUOTE, JSON_ARRAY and JSON_OBJECT write a control character as six characters.
  ...['JSON_QUOTE', 'JSON_ARRAY', 'JSON_OBJECT'].map((name) => [name, 6] as const),
  // The format %r becomes eleven characters, and %W becomes nine.
  ...['DATE_FORMAT', 'TIME_FORMAT', 'TO_CHAR'].map((name) => [name, 6] as const),
  // JSON_PRETTY and JSON_DETAILED indent each value by its depth.
  ...['JSON_PRETTY', 'JSON_DETAILED'].map((name) => [name, DEPTH] as const),
]);
/** Functions that join values of several rows to one text. */
const JOINING: ReadonlySet<string> = new Set(['GROUP_CONCAT', 'JSON_ARRAYAGG', 'JSON_OBJECTAGG']);
/** A longer joined value is considered to be built by the statement instead of read from a table. */
const JOINED_SIZE = 512;
/** The maximum number of rows of a recursive query. */
const ROWS = 1_000;
/** Types that pad a value to the length of the type. */
const PADDING: ReadonlySet<string> = new Set(['BINARY', 'CHAR']);
/** The index of the first argument that is a JSON path and may contain wildcards. */
const PATHS_FROM: ReadonlyMap<string, number> = new Map([
  ['JSON_EXTRACT', 1],
  ['JSON_CONTAINS_PATH', 2],
  ['JSON_SEARCH', 4],
]);

const HINT = 'Store long texts in a table, or search in your program.';
const PATH_HINT = 'Write the path as a text or send it as a parameter, with at most one **.';

/**
 * Rejects statements that could continue to run after a KILL. These are searches in texts of megabytes that
 * the statement itself builds, and JSON paths with several wildcards. The sizes of columns are not known
 * here.
 *
 * @param tokens without comments
 * @param params the values of the placeholders in order
 * @throws AppError 403 `query.not_allowed`
 */
export function checkSearches(tokens: readonly SqlToken[], params: readonly QueryValue[]): void {
  const values = new Map<SqlToken, QueryValue>();
  for (const token of tokens) if (token.kind === 'parameter') values.set(token, params[values.size] ?? null);
  checkPaths(tokens, values);
  const search = tokens.find(
    (token) => token.kind === 'word' && (SEARCHES.has(token.value) || SPATIAL.test(token.value)),
  );
  if (search === undefined) return;
  let columnSize = COLUMN_SIZE;
  for (let level = countLevels(tokens); level > 0; level -= 1) {
    const reader = new SizeReader(tokens, values, columnSize);
    reader.readAll();
    if (reader.largest > BUILT_MAX)
      throw notAllowed(`The texts are too long for ${search.value}.`, search, HINT);
    columnSize = Math.max(columnSize, reader.largestBuilt);
  }
}

/** Returns the maximum number of times that a query of the statement may read the result of another one. */
function countLevels(tokens: readonly SqlToken[]): number {
  let [depth, deepest, shared] = [0, 0, 1];
  const isQuery: boolean[] = [];
  for (const [position, token] of tokens.entries()) {
    if (token.value === '(' && token.kind === 'operator') {
      const opens = isWord(tokens[position + 1], 'SELECT') || isWord(tokens[position + 1], 'WITH');
      isQuery.push(opens);
      if (opens) depth += 1;
      if (opens && isWord(tokens[position - 1], 'AS')) shared += 1;
      deepest = Math.max(deepest, depth);
    } else if (token.value === ')' && token.kind === 'operator' && isQuery.pop() === true) depth -= 1;
    else if (isWord(token, 'RECURSIVE')) shared += ROUNDS;
  }
  return deepest + shared;
}

/**
 * Computes the size of the largest text that a statement may build. Each column is assumed to have a fixed
 * size.
 */
class SizeReader {
  largest = 0;
  /** The size of the largest result of a function call. */
  largestBuilt = 0;
  private at = 0;
  private readonly isRecursive: boolean;

  constructor(
    private readonly tokens: readonly SqlToken[],
    private readonly values: ReadonlyMap<SqlToken, QueryValue>,
    private readonly columnSize: number,
  ) {
    this.isRecursive = tokens.some((token) => isWord(token, 'RECURSIVE'));
  }

  readAll(): void {
    while (this.at < this.tokens.length) this.readGroup();
  }

  /** Reads arguments up to and including the closing parenthesis. Returns the size of each argument. */
  private readGroup(): { readonly sizes: number[]; readonly numbers: (number | null)[] } {
    const sizes: number[] = [0];
    let [first, count] = [null as number | null, 0];
    const numbers: (number | null)[] = [];
    const close = (): void => void numbers.push(count === 1 ? first : null);
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at] as SqlToken;
      this.at += 1;
      if (token.kind === 'operator' && token.value === ')') break;
      if (token.kind === 'operator' && token.value === ',') {
        close();
        sizes.push(0);
        count = 0;
        continue;
      }
      const size = this.readSize(token);
      first = this.readNumber(token);
      count += 1;
      sizes.push((sizes.pop() ?? 0) + size);
    }
    close();
    return { sizes, numbers };
  }

  private readSize(token: SqlToken): number {
    if (token.kind === 'operator' && token.value === '(') {
      const isQuery = this.isAtQuery();
      const size = sum(this.readGroup().sizes);
      return isQuery ? this.columnSize : this.note(size);
    }
    if (token.kind === 'string') return this.note(token.value.length);
    if (token.kind === 'number') return NUMBER_SIZE;
    if (token.kind === 'parameter') return this.note(String(this.values.get(token) ?? '').length);
    if (token.kind !== 'word' && token.kind !== 'quoted') return 0;
    const next = this.tokens[this.at];
    if (next?.kind === 'operator' && next.value === '.') return 0;
    if (token.kind !== 'word' || next?.kind !== 'operator' || next.value !== '(') return this.columnSize;
    this.at += 1;
    const from = this.at;
    // The word before the parenthesis is not a function, but AS, IN or a similar word.
    const isQuery = this.isAtQuery();
    const { sizes, numbers } = this.readGroup();
    if (isQuery) return this.columnSize;
    const size = this.note(this.toSize(token.value, sizes, numbers, from));
    // A text that is joined only from columns is as long as the rows of the table make it, so it is not
    // counted.
    if (!JOINING.has(token.value) || size > BUILT_MAX) this.largestBuilt = Math.max(this.largestBuilt, size);
    return size;
  }

  /**
   * Returns the size of a call's result. The number of rows in tables is not considered, because the total
   * size of a table is the tenant's choice.
   */
  private toSize(
    name: string,
    sizes: readonly number[],
    numbers: readonly (number | null)[],
    from: number,
  ): number {
    const size = toCallSize(name, sizes, numbers);
    if (JOINING.has(name)) return size > JOINED_SIZE || this.isRecursive ? size * ROWS : size;
    return name === 'JSON_EXTRACT' && this.hasDeepPath(from) ? size * DEPTH : size;
  }

  /**
   * Reports whether one of the path arguments matches values at every depth of a document, each with
   * everything nested in it.
   */
  private hasDeepPath(from: number): boolean {
    return this.tokens
      .slice(from, this.at)
      .some((token) =>
        (token.kind === 'string' ? token.value : String(this.values.get(token) ?? '')).includes('**'),
      );
  }

  private isAtQuery(): boolean {
    return isWord(this.tokens[this.at], 'SELECT') || isWord(this.tokens[this.at], 'WITH');
  }

  private readNumber(token: SqlToken): number | null {
    const value =
      token.kind === 'number' ? token.value : token.kind === 'parameter' ? this.values.get(token) : undefined;
    const number = Number(value ?? NaN);
    return Number.isFinite(number) ? number : null;
  }

  private note(size: number): number {
    this.largest = Math.max(this.largest, size);
    return size;
  }
}

function toCallSize(name: string, sizes: readonly number[], numbers: readonly (number | null)[]): number {
  const [first = 0, second = 0, third = 0] = sizes;
  const lengthAt = (position: number): number => numbers[position] ?? UNBOUNDED;
  switch (name) {
    case 'REPEAT':
      return first * lengthAt(1);
    case 'SPACE':
      return lengthAt(0);
    case 'LPAD':
    case 'RPAD':
      return lengthAt(1);
    case 'LEFT':
    case 'RIGHT':
      return Math.min(first, lengthAt(1));
    case 'REPLACE':
    case 'REGEXP_REPLACE':
      return first * Math.max(1, name === 'REPLACE' ? third / Math.max(1, second) : third);
    case 'EXPORT_SET':
      return 64 * sum(sizes);
    case 'CONCAT_WS':
      return first * sizes.length + sum(sizes);
    // Each path may match the whole document, so the result may contain the document once for each path.
    case 'JSON_EXTRACT':
      return first * Math.max(1, sizes.length - 1);
    // The format pattern of this function can specify any width.
    case 'SFORMAT':
      return UNBOUNDED;
    case 'LOCATE':
    case 'INSTR':
    case 'POSITION':
    case 'LENGTH':
    case 'CHAR_LENGTH':
    case 'COUNT':
      return NUMBER_SIZE;
    default:
      break;
  }
  if (PADDING.has(name) && numbers.length === 1 && numbers[0] !== null) return lengthAt(0);
  return sum(sizes) * (GROWTH.get(name) ?? 1);
}

function checkPaths(tokens: readonly SqlToken[], values: ReadonlyMap<SqlToken, QueryValue>): void {
  for (const [position, token] of tokens.entries()) {
    const text = token.kind === 'string' ? token.value : String(values.get(token) ?? '');
    if (text.trimStart().startsWith('$') && text.split('**').length > 2)
      throw notAllowed('A JSON path may contain at most one **.', token, PATH_HINT);
    const from = token.kind === 'word' ? PATHS_FROM.get(token.value) : undefined;
    if (from !== undefined && tokens[position + 1]?.value === '(') checkPathArguments(tokens, position, from);
  }
}

/**
 * Rejects path arguments that are neither a string literal nor a parameter. Any other expression may contain
 * a value from a row.
 */
function checkPathArguments(tokens: readonly SqlToken[], call: number, from: number): void {
  let [depth, argument] = [0, 0];
  for (let position = call + 1; position < tokens.length; position += 1) {
    const token = tokens[position] as SqlToken;
    const isOperator = token.kind === 'operator';
    if (isOperator && token.value === '(') depth += 1;
    else if (isOperator && token.value === ')') depth -= 1;
    if (depth === 0) return;
    if (depth === 1 && isOperator && token.value === ',') argument += 1;
    else if (argument >= from && token.kind !== 'string' && token.kind !== 'parameter')
      throw notAllowed('A JSON path must be a text or a parameter.', token, PATH_HINT);
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.value === word;
}
