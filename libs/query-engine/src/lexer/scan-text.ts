/**
 * These functions find the ends of tokens. Their rules are those of the servers' lexers in a session without
 * ANSI_QUOTES and NO_BACKSLASH_ESCAPES. The callers reject text that the two engines read differently.
 */

/**
 * Reports whether servers treat the code unit as white space. This excludes other control characters, and
 * NBSP, which is a letter for servers.
 */
export function isSpaceUnit(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

/** Returns whether the code unit is an ASCII digit. */
export function isDigitUnit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Reports whether the code unit can be part of a name without backquotes. Surrogates cannot, because names
 * contain only characters up to U+FFFF.
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

/** Returns the offset after the name that begins at `offset`. */
export function skipName(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && isNameUnit(text.charCodeAt(end))) end += 1;
  return end;
}

/**
 * Returns the offset after the string literal or name in backquotes that begins at `offset`. Returns -1 if it
 * is not closed.
 */
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
 * Returns the kind of comment that begins at `offset`. Returns null if none begins there. `--` begins a
 * comment only before white space, a control character or the end of the text. At other positions, it is two
 * minus signs.
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
 * Returns the offset after a comment. Returns -1 if it is not closed. A line comment ends before its line
 * feed. A carriage return alone does not end it.
 */
export function skipComment(text: string, offset: number, opening: CommentOpening): number {
  if (opening === 'line') {
    const lineFeed = text.indexOf('\n', offset);
    return lineFeed === -1 ? text.length : lineFeed;
  }
  const close = text.indexOf('*/', offset + 2);
  return close === -1 ? -1 : close + 2;
}

/**
 * Returns the content of a string literal. Quotes and escapes are resolved in the same way as by the servers.
 */
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
      // Escapes of `%` and `_` are retained, because LIKE processes them.
      return `\\${char}`;
    default:
      return char;
  }
}

/**
 * Returns the offset of the first lone surrogate, which cannot be encoded in UTF-8. Returns -1 if the text
 * contains none.
 */
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

/** Returns the length of a well-formed text in UTF-8 bytes. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // A surrogate pair takes four bytes, so each half counts as two.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}
