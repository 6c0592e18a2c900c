import { wordSet } from '../lexer/sql-words.js';
import { isDigitUnit, isNameUnit, isSpaceUnit, skipName, skipQuoted } from '../lexer/scan-text.js';

/**
 * The words that a constant expression in a dump may contain. Every function is native on both engines. If
 * one engine lacked a function, its name could be that of a user's routine.
 */

/**
 * Functions of constants. Functions that wait, lock, read files, name the server or build large results are
 * omitted.
 */
const CONSTANT_FUNCTIONS = wordSet(`
  ABS ACOS ADDDATE ADDTIME AES_DECRYPT AES_ENCRYPT ASCII ASIN ATAN BIN BIT_LENGTH CAST CEIL CEILING CHAR
  CHARACTER_LENGTH CHAR_LENGTH COALESCE CONCAT CONCAT_WS CONV CONVERT COS CRC32 CURDATE CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP CURTIME DATE DATEDIFF DATE_ADD DATE_FORMAT DATE_SUB DAY DAYNAME
  DAYOFMONTH DAYOFWEEK DAYOFYEAR DEGREES ELT EXP FIELD FLOOR FORMAT FROM_BASE64 FROM_DAYS FROM_UNIXTIME
  GREATEST HEX HOUR IF IFNULL INET6_ATON INET6_NTOA INET_ATON INET_NTOA INSTR INTERVAL ISNULL JSON_ARRAY
  JSON_OBJECT JSON_QUOTE JSON_UNQUOTE LAST_DAY LCASE LEAST LEFT LENGTH LINESTRING LN LOCALTIME
  LOCALTIMESTAMP LOCATE LOG LOG10 LOG2 LOWER LPAD LTRIM MAKEDATE MAKETIME MD5 MICROSECOND MID MINUTE MOD
  MONTH MONTHNAME NOW NULLIF OCT ORD PERIOD_ADD PERIOD_DIFF PI POINT POLYGON POSITION POW POWER QUARTER
  QUOTE RADIANS RAND REPEAT REPLACE REVERSE RIGHT ROUND RPAD RTRIM SECOND SEC_TO_TIME SHA SHA1 SHA2 SIGN
  SIN SPACE SQRT STRCMP STR_TO_DATE ST_GEOMCOLLFROMTEXT ST_GEOMFROMTEXT ST_GEOMFROMWKB ST_LINEFROMTEXT
  ST_POINTFROMTEXT ST_POLYFROMTEXT ST_GEOMFROMGEOJSON SUBDATE SUBSTR SUBSTRING SUBSTRING_INDEX SUBTIME
  SYSDATE TAN TIME TIMEDIFF TIMESTAMP TIMESTAMPADD TIMESTAMPDIFF TIME_FORMAT TIME_TO_SEC TO_BASE64 TO_DAYS
  TO_SECONDS TRIM TRUNCATE UCASE UNHEX UNIX_TIMESTAMP UPPER UTC_DATE UTC_TIME UTC_TIMESTAMP WEEK WEEKDAY
  WEEKOFYEAR YEAR YEARWEEK
`);

/** Functions that are called without parentheses. */
const CONSTANT_VALUES = wordSet(`
  NULL TRUE FALSE DEFAULT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP UTC_DATE
  UTC_TIME UTC_TIMESTAMP
`);

/** Operators and clauses that are words. A parenthesis may follow them. */
const CONSTANT_OPERATORS = wordSet(
  'AND OR NOT XOR DIV MOD IS IN LIKE BETWEEN CASE WHEN THEN ELSE BINARY INTERVAL',
);

/** Words that must not be followed by a parenthesis. */
const CONSTANT_PLAIN = wordSet(`
  END AS USING COLLATE UNSIGNED INTEGER MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR
  SECOND_MICROSECOND MINUTE_MICROSECOND MINUTE_SECOND HOUR_MICROSECOND HOUR_SECOND HOUR_MINUTE
  DAY_MICROSECOND DAY_SECOND DAY_MINUTE DAY_HOUR YEAR_MONTH
`);

/** Types that may follow AS directly. */
const CONSTANT_TYPES = wordSet(`
  BINARY CHAR DATE DATETIME DECIMAL DOUBLE FLOAT JSON NCHAR SIGNED TIME UNSIGNED YEAR
`);

/** Character sets that may follow USING. Collations after COLLATE must begin with one of them. */
const CONSTANT_CHARSETS = wordSet('UTF8 UTF8MB3 UTF8MB4 LATIN1 ASCII BINARY');

/** A string literal with its quotes and its character set introducer, which is `binary` in `_binary'…'`. */
export interface InsertText {
  readonly kind: 'text';
  readonly quoted: string;
  readonly introducer: string;
}

/** A part of an expression: SQL in ASCII, or a string literal. */
export type ConstantPart = string | InsertText;

/** Thrown at the position where a text is no longer a plain INSERT of constants. */
export class InsertStopError extends Error {
  constructor(
    readonly offset: number,
    reason: string,
    /** Whether the error concerns the whole statement, including the rows that were already read. */
    readonly isWholeStatement = false,
  ) {
    super(reason);
  }
}

export const RUN_LATER = 'Run the statement with a direct connection after the import.';

const PARTS_MAX = 1_000;
const CHARS_MAX = 256 * 1024;
const DEPTH_MAX = 32;
const OPERATORS: ReadonlySet<string> = new Set('+-*/%<>=!&|^~'.split(''));
const NUMBER = /0x[0-9a-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;

/**
 * Reads an expression of constants. It ends at a comma, at the closing parenthesis of the row or at the end
 * of the text. Columns, variables, subqueries and unlisted functions are rejected.
 *
 * @param text one character for each byte
 * @throws InsertStopError at the rejected part
 */
export function readConstant(
  text: string,
  offset: number,
): { readonly parts: readonly ConstantPart[]; readonly end: number } {
  return new ConstantReader(text, offset).read();
}

class ConstantReader {
  private readonly parts: ConstantPart[] = [];
  private depth = 0;
  private at: number;
  /** The previous token in upper case if it was a word. Otherwise an empty text. */
  private previous = '';

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {
    this.at = start;
  }

  read() {
    for (;;) {
      this.skipSpace();
      if (this.parts.length > PARTS_MAX || this.at - this.start > CHARS_MAX)
        throw this.stop('The expression is too long.');
      const char = this.text.charAt(this.at);
      if (this.depth === 0 && (char === ',' || char === ')' || char === '')) break;
      if (char === '') throw this.stop('A parenthesis is not closed.');
      this.readUnit(char);
    }
    if (this.parts.length === 0) throw this.stop('A value is missing.');
    return { parts: this.parts, end: this.at };
  }

  private readUnit(char: string): void {
    const unit = this.text.charCodeAt(this.at);
    if (unit === 0x27 || unit === 0x22) return this.addText('');
    if (isDigitUnit(unit) || (unit === 0x2e && isDigitUnit(this.text.charCodeAt(this.at + 1))))
      return this.addNumber();
    if (isNameUnit(unit)) return this.readWord();
    if (char === '(') this.depth += 1;
    else if (char === ')') this.depth -= 1;
    else if (char !== ',' && !OPERATORS.has(char)) throw this.notConstant(char);
    if (this.depth > DEPTH_MAX) throw this.stop('Parentheses are nested too deep.');
    // The two minus signs of `- -1` must not be joined to a comment. Operators must be joined, because a
    // space inside an operator would split it.
    const last = this.parts[this.parts.length - 1];
    const joins =
      OPERATORS.has(char) &&
      typeof last === 'string' &&
      /^[<>=!&|]+$/.test(last) &&
      this.text.charAt(this.at - 1) === last.at(-1);
    if (joins) this.parts[this.parts.length - 1] = `${last}${char}`;
    else this.parts.push(char);
    this.at += 1;
    this.previous = '';
  }

  private addNumber(): void {
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text)?.[0] ?? '';
    if (number === '' || isNameUnit(this.text.charCodeAt(this.at + number.length)))
      throw this.notConstant(this.text.slice(this.at, skipName(this.text, this.at)));
    this.parts.push(number);
    this.at += number.length;
    this.previous = '';
  }

  private addText(introducer: string): void {
    const end = skipQuoted(this.text, this.at);
    if (end === -1) throw this.stop('A quote is not closed.');
    const quoted = this.text.slice(this.at, end);
    const last = this.parts[this.parts.length - 1];
    // Adjacent string literals form one literal.
    if (introducer === '' && typeof last === 'object')
      this.parts[this.parts.length - 1] = { ...last, quoted: joinQuoted(last.quoted, quoted) };
    else this.parts.push({ kind: 'text', quoted, introducer });
    this.at = end;
    this.previous = '';
  }

  private readWord(): void {
    const end = skipName(this.text, this.at);
    const name = this.text.slice(this.at, end);
    const word = name.toUpperCase();
    if (this.text.charAt(end) === "'" && this.addQuotedLiteral(word, end)) return;
    if (name.startsWith('_') && this.addIntroduced(name, end)) return;
    const following = skipSpaceAndComments(this.text, end);
    const next = this.text.charAt(following);
    if (!this.isConstantWord(word, next)) throw this.notConstant(name);
    const isCall = next === '(' && CONSTANT_FUNCTIONS.has(word) && this.previous !== 'AS';
    // Without `IGNORE_SPACE`, `NOW (…)` with a space calls a routine of the database instead of the function.
    this.parts.push(isCall ? `${name}(` : name);
    this.at = isCall ? following + 1 : end;
    if (isCall) this.depth += 1;
    this.previous = word;
  }

  private isConstantWord(word: string, next: string): boolean {
    if (this.previous === 'AS') return CONSTANT_TYPES.has(word);
    if (this.previous === 'USING') return CONSTANT_CHARSETS.has(word) && next !== '(';
    if (this.previous === 'COLLATE') return CONSTANT_CHARSETS.has(word.split('_')[0] ?? '') && next !== '(';
    if (next === '(') return CONSTANT_FUNCTIONS.has(word) || CONSTANT_OPERATORS.has(word);
    if (next === "'" && (word === 'DATE' || word === 'TIME' || word === 'TIMESTAMP')) return true;
    return CONSTANT_VALUES.has(word) || CONSTANT_OPERATORS.has(word) || CONSTANT_PLAIN.has(word);
  }

  /** Reads a literal of the form `X'…'`, `B'…'` or `N'…'`. */
  private addQuotedLiteral(word: string, quoteAt: number): boolean {
    if (word !== 'X' && word !== 'B' && word !== 'N') return false;
    this.at = quoteAt;
    if (word === 'N') {
      this.addText('');
      return true;
    }
    const literal = /^(?:x'(?:[0-9a-f]{2})*'|b'[01]*')/i.exec(
      word + this.text.slice(quoteAt, skipQuoted(this.text, quoteAt)),
    )?.[0];
    if (literal === undefined) throw this.stop('A hexadecimal or bit literal is malformed.');
    this.parts.push(literal);
    this.at += literal.length - 1;
    this.previous = '';
    return true;
  }

  /**
   * Reads a literal with a character set introducer, such as `_utf8mb4'…'`. `_binary 0xFF` is not changed.
   */
  private addIntroduced(name: string, end: number): boolean {
    if (!/^_[a-z0-9]+$/i.test(name)) return false;
    this.at = end;
    this.skipSpace();
    const unit = this.text.charCodeAt(this.at);
    if (unit === 0x27 || unit === 0x22) this.addText(name.slice(1).toLowerCase());
    else if (/^(?:0[xb]|[xb]')/i.test(this.text.slice(this.at, this.at + 2))) {
      this.parts.push(name);
      this.previous = '';
    } else return false;
    return true;
  }

  private skipSpace(): void {
    this.at = skipSpaceAndComments(this.text, this.at);
  }

  private notConstant(found: string): InsertStopError {
    const variable =
      found === '@'
        ? (/^@{1,2}[\w$.]+/.exec(this.text.slice(this.at, this.at + 64))?.[0] ?? '@')
        : found.slice(0, 64);
    return this.stop(
      `The value ${/^[\w$@.]+$/.test(variable) ? `${variable} ` : ''}is not a constant. ${RUN_LATER}`,
    );
  }

  private stop(reason: string): InsertStopError {
    return new InsertStopError(this.at, reason);
  }
}

/** Returns the offset after white space and comments. Executable comments are not skipped. */
export function skipSpaceAndComments(text: string, offset: number): number {
  let position = offset;
  for (;;) {
    while (isSpaceUnit(text.charCodeAt(position))) position += 1;
    const end = endOfComment(text, position);
    if (end === -1) return position;
    position = end;
  }
}

function endOfComment(text: string, position: number): number {
  const unit = text.charCodeAt(position);
  if (unit === 0x2f && text.charCodeAt(position + 1) === 0x2a) {
    if (/^\/\*m?!/i.test(text.slice(position, position + 4))) return -1;
    const end = text.indexOf('*/', position + 2);
    return end === -1 ? -1 : end + 2;
  }
  const third = text.charCodeAt(position + 2);
  const isDashes =
    unit === 0x2d &&
    text.charCodeAt(position + 1) === 0x2d &&
    (Number.isNaN(third) || third <= 0x20 || third === 0x7f);
  if (unit !== 0x23 && !isDashes) return -1;
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end;
}

/** Joins two string literals to one, with the quotes of the first. */
function joinQuoted(first: string, second: string): string {
  const quote = first.charAt(0);
  let inner = second.slice(1, -1);
  if (second.charAt(0) !== quote)
    inner = inner
      .replaceAll(second.charAt(0).repeat(2), second.charAt(0))
      .replaceAll(/\\[^]|['"]/g, (found) => (found === quote ? quote + quote : found));
  return `${first.slice(0, -1)}${inner}${quote}`;
}
