import { AppError } from '@rowhouse/errors';
import type { CommentKind, LexBounds, SqlToken, SqlTokenKind } from '../types.js';
import { foldName, isNameToken, nameOf } from './names.js';
import {
  type CommentOpening,
  commentOpeningAt,
  countUtf8Bytes,
  findLoneSurrogate,
  isDigitUnit,
  isNameUnit,
  isSpaceUnit,
  skipComment,
  skipName,
  skipQuoted,
  unquoteString,
} from './scan-text.js';
import { invalidSql, positionAt, type TextPosition } from './sql-fault.js';

/** Matches a hexadecimal or binary literal. Servers accept only lower-case prefixes: `0X1F` is a name. */
const RADIX = /^(?:0x[0-9a-fA-F]+|0b[01]+)$/;

const DIGITS = /^[0-9]+$/;

const EXPONENT = /^[0-9]+[eE][0-9]+$/;

const EXPONENT_THEN_NAME = /^[0-9]+[eE][0-9]+./;

const DECIMAL = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;

export const QUERY_BOUNDS: LexBounds = { bytesMax: 16 * 1024, depthMax: 64, tokensMax: 4000 };

/** Operators of several characters by their first character, with the longest first. */
const LONG_OPERATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['<', ['<=>', '<>', '<=', '<<']],
  ['-', ['->>', '->']],
  ['>', ['>=', '>>']],
  [':', [':=']],
  ['!', ['!=']],
  ['|', ['||']],
  ['&', ['&&']],
]);
const SINGLES: ReadonlySet<string> = new Set('+-*/%=<>!~^&|(),.;{}:'.split(''));

/**
 * Splits SQL text of MySQL or MariaDB into tokens, including comments, in one pass.
 *
 * @throws AppError `query.invalid_sql` (400) with line and column for text that no server accepts, that
 *   servers parse differently, or that exceeds the limits
 */
export function lexSql(text: string, bounds: LexBounds = QUERY_BOUNDS): SqlToken[] {
  checkBytes(text, bounds);
  const tokens: SqlToken[] = [];
  let depth = 0;
  let line = 1;
  let lineStart = 0;
  let offset = 0;
  while (offset < text.length) {
    const unit = text.charCodeAt(offset);
    if (isSpaceUnit(unit)) {
      offset += 1;
      if (unit === 0x0a) {
        line += 1;
        lineStart = offset;
      }
      continue;
    }
    const { kind, value: meaning, end, comment } = scanToken(text, offset, tokens[tokens.length - 1]);
    const value = text.slice(offset, end);
    tokens.push({
      kind,
      text: value,
      value: meaning,
      start: offset,
      end,
      line,
      column: offset - lineStart + 1,
      comment,
    });
    if (tokens.length > bounds.tokensMax) {
      throw invalidSql(`The text has more than ${bounds.tokensMax} tokens.`, positionAt(text, offset));
    }
    if (value === '(' || value === '{') depth += 1;
    else if (value === ')' || value === '}') depth -= 1;
    if (depth > bounds.depthMax) {
      throw invalidSql(`Parentheses are nested deeper than ${bounds.depthMax}.`, positionAt(text, offset));
    }
    if (kind !== 'word' && kind !== 'operator') {
      for (let feed = value.indexOf('\n'); feed !== -1; feed = value.indexOf('\n', feed + 1)) {
        line += 1;
        lineStart = offset + feed + 1;
      }
    }
    offset = end;
  }
  return tokens;
}

function checkBytes(text: string, bounds: LexBounds): void {
  // Rejects a text that is too long. A UTF-16 code unit takes at least one byte, so the length of the string
  // is compared first.
  if (text.length > bounds.bytesMax || countUtf8Bytes(text) > bounds.bytesMax) {
    throw new AppError('query.invalid_sql', {
      detail: `The text is longer than ${bounds.bytesMax} bytes.`,
      hint: 'Pass long values as params.',
    });
  }
  const half = findLoneSurrogate(text);
  if (half !== -1) throw invalidSql('The text is not valid Unicode.', positionAt(text, half));
  const nul = text.indexOf('\0');
  if (nul !== -1) throw invalidSql('The text contains a NUL character.', positionAt(text, nul));
}

export interface ScannedToken {
  readonly kind: SqlTokenKind;
  readonly value: string;
  readonly end: number;
  readonly comment: CommentKind | null;
}

function scanToken(text: string, offset: number, previous: SqlToken | undefined): ScannedToken {
  const unit = text.charCodeAt(offset);
  const opening = commentOpeningAt(text, offset);
  if (opening !== null) return scanComment(text, offset, opening);
  if (unit === 0x27 || unit === 0x22) return scanString(text, offset, offset);
  if (unit === 0x60) return scanBackquoted(text, offset);
  if (isDigitUnit(unit) || (unit === 0x2e && isDigitUnit(text.charCodeAt(offset + 1)))) {
    return lexNumber(text, offset, previous);
  }
  if (isNameUnit(unit)) return scanWord(text, offset);
  if (unit === 0x40) return scanVariable(text, offset);
  if (unit === 0x3f) return { kind: 'parameter', value: '?', end: offset + 1, comment: null };
  if (unit === 0x3a && isNameUnit(text.charCodeAt(offset + 1)) && !isDigitUnit(text.charCodeAt(offset + 1))) {
    const end = skipName(text, offset + 1);
    return { kind: 'parameter', value: text.slice(offset + 1, end), end, comment: null };
  }
  return scanOperator(text, offset);
}

function scanComment(text: string, offset: number, opening: CommentOpening): ScannedToken {
  const end = skipComment(text, offset, opening);
  if (end === -1) throw invalidSql('A comment is not closed.', positionAt(text, offset));
  const comment = opening === 'line' || opening === 'block' ? 'plain' : opening;
  return { kind: 'comment', value: '', end, comment };
}

/**
 * Reads a string literal. `offset` is the start of the token, and `quoteAt` the position of its quote, which
 * differs from `offset` for a literal such as `x'…'`.
 */
function scanString(text: string, offset: number, quoteAt: number): ScannedToken {
  const end = skipQuoted(text, quoteAt);
  if (end === -1) throw invalidSql('A string is not closed.', positionAt(text, offset));
  return { kind: 'string', value: unquoteString(text.slice(quoteAt, end)), end, comment: null };
}

function scanBackquoted(text: string, offset: number): ScannedToken {
  const end = skipQuoted(text, offset);
  if (end === -1) throw invalidSql('A backquoted name is not closed.', positionAt(text, offset));
  const value = text.slice(offset + 1, end - 1).replaceAll('``', '`');
  if (value === '') throw invalidSql('A backquoted name is empty.', positionAt(text, offset));
  if (/[\u{10000}-\u{10ffff}]/u.test(value)) {
    throw invalidSql('A name holds a character that names cannot have.', positionAt(text, offset));
  }
  return { kind: 'quoted', value, end, comment: null };
}

const HEX_LITERAL = /x'[0-9a-f]*'/iy;
const BIT_LITERAL = /b'[01]*'/iy;

function scanWord(text: string, offset: number): ScannedToken {
  const end = skipName(text, offset);
  if (end === offset + 1 && text.charCodeAt(end) === 0x27) {
    const letter = text.charAt(offset).toLowerCase();
    if (letter === 'x' || letter === 'b') return scanHexOrBits(text, offset, letter);
    if (letter === 'n') return scanString(text, offset, end);
  }
  return { kind: 'word', value: text.slice(offset, end).toUpperCase(), end, comment: null };
}

/**
 * Reads `x'…'` or `b'…'`. Servers process no escapes in these literals, so any other character than a digit
 * before the closing quote is an error.
 */
function scanHexOrBits(text: string, offset: number, letter: 'x' | 'b'): ScannedToken {
  const pattern = letter === 'x' ? HEX_LITERAL : BIT_LITERAL;
  pattern.lastIndex = offset;
  if (!pattern.test(text))
    throw invalidSql('A hexadecimal or bit literal is malformed.', positionAt(text, offset));
  const end = pattern.lastIndex;
  return { kind: 'number', value: text.slice(offset, end), end, comment: null };
}

/**
 * Reads a variable: `@name`, `@@name`, `` @`name` `` or `@'host'`. Only schema text may contain variables.
 */
function scanVariable(text: string, offset: number): ScannedToken {
  let end = offset + (text.charAt(offset + 1) === '@' ? 2 : 1);
  const unit = text.charCodeAt(end);
  if (unit === 0x60 || unit === 0x27 || unit === 0x22) {
    const close = skipQuoted(text, end);
    if (close === -1) throw invalidSql('A quoted name is not closed.', positionAt(text, offset));
    end = close;
  } else {
    while (end < text.length && (isNameUnit(text.charCodeAt(end)) || text.charAt(end) === '.')) end += 1;
  }
  return { kind: 'variable', value: text.slice(offset, end), end, comment: null };
}

function scanOperator(text: string, offset: number): ScannedToken {
  const char = text.charAt(offset);
  for (const operator of LONG_OPERATORS.get(char) ?? []) {
    if (text.startsWith(operator, offset)) {
      return { kind: 'operator', value: operator, end: offset + operator.length, comment: null };
    }
  }
  if (!SINGLES.has(char)) {
    throw invalidSql(
      `The character ${describeCharacter(text, offset)} has no meaning here.`,
      positionAt(text, offset),
    );
  }
  return { kind: 'operator', value: char, end: offset + 1, comment: null };
}

function describeCharacter(text: string, offset: number): string {
  const point = text.codePointAt(offset) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return point > 0x20 && point < 0x7f ? `"${String.fromCodePoint(point)}"` : code;
}

/**
 * Reads a number, or a name that begins with a digit. A number directly before a name (`1.e`, `1e5x`, `t.5a`)
 * is rejected, because servers split such text in unexpected ways. For example, MySQL reads `1.e(` as `(`,
 * which attackers have used to bypass filters.
 */
function lexNumber(text: string, offset: number, previous: SqlToken | undefined): ScannedToken {
  if (text.charCodeAt(offset) === 0x2e && isNameToken(previous) && previous.end === offset) {
    throw invalidSql('Quote a name that begins with a digit with backquotes.', positionAt(text, offset));
  }
  const runEnd = skipName(text, offset);
  const run = text.slice(offset, runEnd);
  if (RADIX.test(run)) return endNumber(text, offset, runEnd);
  const isExponentSign = /^[0-9]+[eE]$/.test(run) && /^[+-][0-9]/.test(text.slice(runEnd, runEnd + 2));
  if (run === '' || DIGITS.test(run) || EXPONENT.test(run) || isExponentSign) {
    DECIMAL.lastIndex = offset;
    DECIMAL.test(text);
    return endNumber(text, offset, DECIMAL.lastIndex);
  }
  if (EXPONENT_THEN_NAME.test(run)) throw ambiguous(text, offset);
  return { kind: 'word', value: run.toUpperCase(), end: runEnd, comment: null };
}

function endNumber(text: string, offset: number, end: number): ScannedToken {
  const following = text.charCodeAt(end);
  if (isNameUnit(following) || following === 0x2e || following === 0x60) throw ambiguous(text, offset);
  return { kind: 'number', value: text.slice(offset, end), end, comment: null };
}

function ambiguous(text: string, offset: number): Error {
  return invalidSql(
    'A number is directly followed by a name.',
    positionAt(text, offset),
    'Add a space between them, or quote the name with backquotes.',
  );
}

/**
 * Returns the position of the first use of a name, with or without backquotes. Returns null if the text does
 * not contain it. Does not throw for a text that the guard accepted.
 */
export function locateName(text: string, name: string): TextPosition | null {
  const token = lexSql(text).find(
    (sqlToken) => isNameToken(sqlToken) && foldName(nameOf(sqlToken)) === foldName(name),
  );
  return token === undefined ? null : { line: token.line, column: token.column };
}

/**
 * Returns the position in the original text of a part of `runSql` that a server quotes in an error. Returns
 * null if the position is unknown.
 */
export function locateText(text: string, runSql: string, quoted: string): TextPosition | null {
  const offset = runSql.indexOf(quoted);
  if (quoted === '' || offset === -1 || runSql.includes(quoted, offset + 1)) return null;
  const lead = text.length - text.trimStart().length;
  // The two texts have different offsets after a comment or parameter, so the position is only valid if they
  // are equal up to it.
  return text.startsWith(runSql.slice(0, offset), lead) ? positionAt(text, lead + offset) : null;
}
