import { splitSegments } from '../../request/path-segments.js';

/**
 * A position in the text of `where`. The expected kind of token determines how the text is read, so no
 * backtracking is needed.
 */
export interface WhereScanner {
  readonly text: string;
  position: number;
}

export type WhereLiteral = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'null' };

const SPACE = /\s*/y;
const WORD = /[A-Za-z_]+/y;
const SIGN = /<=|>=|<>|!=|=|<|>/y;
const NUMBER = /[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/y;
const NAME = /`(?:[^`]|``)+`|[\w$\u0080-\uffff-]+/y;
const DOTTED_OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'neq',
  'ne',
  'gte',
  'gt',
  'lte',
  'lt',
  'like',
  'ilike',
  'in',
  'not_in',
  'is',
]);
/** The forms of the value after an operator in dotted form, with the strictest first. */
const DOTTED_VALUES = [/"(?:[^"]|"")*"/y, /\([^()]*\)/y, /[^\s()]*/y] as const;
const DOTTED_END = /\s*(?:$|\)|(?:AND|OR)\b)/iy;

/**
 * Reads a match of `pattern` at the scanner's position, after optional white space. The pattern must have the
 * sticky flag.
 */
export function takeMatch(scanner: WhereScanner, pattern: RegExp): RegExpExecArray | null {
  SPACE.lastIndex = scanner.position;
  SPACE.test(scanner.text);
  pattern.lastIndex = SPACE.lastIndex;
  const found = pattern.exec(scanner.text);
  if (found !== null) scanner.position = pattern.lastIndex;
  return found;
}

export function isAtEnd(scanner: WhereScanner): boolean {
  return scanner.text.slice(scanner.position).trim() === '';
}

/** Reads `word` in any case if it is at the scanner's position. */
export function takeWord(scanner: WhereScanner, word: string): boolean {
  const before = scanner.position;
  if (takeMatch(scanner, WORD)?.[0].toUpperCase() === word) return true;
  scanner.position = before;
  return false;
}

export function takeMark(scanner: WhereScanner, mark: '(' | ')' | ','): boolean {
  SPACE.lastIndex = scanner.position;
  SPACE.test(scanner.text);
  if (scanner.text[SPACE.lastIndex] !== mark) return false;
  scanner.position = SPACE.lastIndex + 1;
  return true;
}

export function takeSign(scanner: WhereScanner): string | null {
  return takeMatch(scanner, SIGN)?.[0] ?? null;
}

/**
 * Reads a comparison in dotted form such as `age.gte.18`, up to the next AND, OR or parenthesis, or the end.
 * It reads one name after another. A single regular expression would take quadratic time for long texts of
 * dotted names.
 */
export function takeDotted(
  scanner: WhereScanner,
): { path: readonly string[]; operator: string; value: string } | null {
  const { text } = scanner;
  const start = endOf(SPACE, text, scanner.position) ?? scanner.position;
  let index = endOf(NAME, text, start);
  while (index !== null && text[index] === '.') {
    const end = endOf(NAME, text, index + 1);
    if (end === null) return null;
    const operator = text.slice(index + 1, end).toLowerCase();
    if (text[end] === '.' && DOTTED_OPERATORS.has(operator))
      return takeFollowing(scanner, text.slice(start, index), operator, end + 1);
    index = end;
  }
  return null;
}

function takeFollowing(
  scanner: WhereScanner,
  before: string,
  operator: string,
  index: number,
): { path: readonly string[]; operator: string; value: string } | null {
  const read = splitSegments(before);
  const end = DOTTED_VALUES.map((form) => endOf(form, scanner.text, index)).find(
    (found) => found !== null && endOf(DOTTED_END, scanner.text, found) !== null,
  );
  if (read === null || read.end !== before.length || end === undefined || end === null) return null;
  scanner.position = end;
  return {
    path: read.segments.map((segment) => segment.name),
    operator,
    value: scanner.text.slice(index, end),
  };
}

/** Returns the end of a match of `pattern` at this position. Returns null if the pattern does not match. */
function endOf(pattern: RegExp, text: string, index: number): number | null {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Reads a column name, with an optional path of relationships before it. */
export function takePath(scanner: WhereScanner): readonly string[] | null {
  SPACE.lastIndex = scanner.position;
  SPACE.test(scanner.text);
  const read = splitSegments(scanner.text, SPACE.lastIndex);
  if (read === null) return null;
  scanner.position = read.end;
  return read.segments.map((segment) => segment.name);
}

/** Reads a column name on the right side of a comparison sign. Numbers and functions are not accepted. */
export function takeName(scanner: WhereScanner): readonly string[] | null {
  const { position: index } = scanner;
  const path = takeMatch(scanner, /(?=[^\d.\s])/y) === null ? null : takePath(scanner);
  if (path !== null && scanner.text[scanner.position] !== '(') return path;
  scanner.position = index;
  return null;
}

/** Reads a text in single or double quotes. */
export function takeText(scanner: WhereScanner): string | null {
  const quoted = takeMatch(scanner, /'(?:[^']|'')*'|"(?:[^"]|"")*"/y)?.[0];
  if (quoted === undefined) return null;
  const mark = quoted[0] ?? "'";
  return quoted.slice(1, -1).replaceAll(mark + mark, mark);
}

export function takeLiteral(scanner: WhereScanner): WhereLiteral | null {
  const quoted = takeText(scanner);
  if (quoted !== null) return { kind: 'text', text: quoted };
  const number = takeMatch(scanner, NUMBER)?.[0];
  if (number !== undefined) return { kind: 'text', text: number.replace(/^\+/, '') };
  for (const word of ['TRUE', 'FALSE'])
    if (takeWord(scanner, word)) return { kind: 'text', text: word.toLowerCase() };
  return takeWord(scanner, 'NULL') ? { kind: 'null' } : null;
}
