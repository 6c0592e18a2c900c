/**
 * Finds the ends of lexical units. The rules are those of the servers' lexers in a session without
 * ANSI_QUOTES and NO_BACKSLASH_ESCAPES. Callers reject text that the two servers read differently.
 */

/**
 * Returns whether servers treat the code unit as white space. Other control characters do not count, and NBSP
 * is a letter to them.
 */
export function isSpaceUnit(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

/** Returns whether the code unit is an ASCII digit. */
export function isDigitUnit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Returns whether the code unit may be part of an unquoted name. Surrogates are not, because names end at
 * U+FFFF.
 */
export function isNameUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    isDigitUnit(unit) ||
    unit === 0x5f ||
    unit === 0x24 ||
    (unit >= 0x80 && (unit < 0xd800 || unit > 0xdfff))
  );
}

/** Returns the offset after the name that starts at `offset`. */
export function skipName(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && isNameUnit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Returns the offset after a literal or backquoted name that starts at `offset`, or -1 if it is unclosed. */
export function skipQuoted(text: string, offset: number): number {
  const quote = text.charCodeAt(offset);
  const escapes = quote !== 0x60;
  for (let index = offset + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (escapes && unit === 0x5c) index += 1;
    else if (unit === quote) {
      if (text.charCodeAt(index + 1) !== quote) return index + 1;
      index += 1;
    }
  }
  return -1;
}

export type CommentOpening = 'line' | 'block' | 'executable' | 'mariadb_executable' | 'hint';

/**
 * Returns the kind of comment that starts at `offset`, or null. `--` starts a comment only before white
 * space, a control character or the end. In other positions, `--` is two minus signs.
 */
export function commentOpeningAt(text: string, offset: number): CommentOpening | null {
  const unit = text.charCodeAt(offset);
  if (unit === 0x23) return 'line';
  if (unit === 0x2d && text.charCodeAt(offset + 1) === 0x2d) {
    const following = text.charCodeAt(offset + 2);
    return Number.isNaN(following) || following <= 0x20 || following === 0x7f ? 'line' : null;
  }
  if (unit !== 0x2f || text.charCodeAt(offset + 1) !== 0x2a) return null;
  const after = text.charAt(offset + 2);
  if (after === '!') return 'executable';
  if (after === '+') return 'hint';
  return (after === 'M' || after === 'm') && text.charAt(offset + 3) === '!' ? 'mariadb_executable' : 'block';
}

/**
 * Returns the offset after a comment, or -1 if it is unclosed. A line comment ends before its line feed. A
 * lone carriage return does not end it.
 */
export function skipComment(text: string, offset: number, opening: CommentOpening): number {
  if (opening === 'line') {
    const lineFeed = text.indexOf('\n', offset);
    return lineFeed === -1 ? text.length : lineFeed;
  }
  const close = text.indexOf('*/', offset + 2);
  return close === -1 ? -1 : close + 2;
}

/** Returns the content of a string literal, with quotes and escapes resolved as servers do. */
export function unquoteString(literal: string): string {
  const quote = literal.charAt(0);
  const inner = literal.slice(1, -1);
  if (!inner.includes('\\') && !inner.includes(quote)) return inner;
  let value = '';
  for (let index = 0; index < inner.length; index += 1) {
    const char = inner.charAt(index);
    if (char === quote) index += 1;
    if (char !== '\\') {
      value += char;
      continue;
    }
    index += 1;
    value += resolveEscape(inner.charAt(index));
  }
  return value;
}

function resolveEscape(char: string): string {
  switch (char) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case '0':
      return '\0';
    case 'Z':
      return '\u001a';
    case '%':
    case '_':
      // LIKE processes these escapes itself.
      return `\\${char}`;
    default:
      return char;
  }
}

/** Returns the offset of the first lone surrogate, or -1. Such text has no UTF-8 form. */
export function findLoneSurrogate(text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return index;
    index += 1;
  }
  return -1;
}

/** Returns the length in UTF-8 for well-formed text. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}
