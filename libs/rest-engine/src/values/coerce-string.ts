import type { CompiledColumn } from '@rowhouse/schema-model';
import { matchesFormat } from './check-format.js';
import { fits, reject, type Coerced, type Purpose } from './coerced.js';

/**
 * The characters from U+0080 to U+009F that MySQL's latin1 contains. It is cp1252, with the five undefined
 * positions filled by these characters.
 */
const LATIN1_CONTROLS = '\u0081\u008d\u008f\u0090\u009d';

const CP1252 =
  '\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178';

/** For each character set, a pattern that matches a character which the set lacks. */
const LACKING: ReadonlyMap<string, RegExp> = new Map([
  ['ascii', /[^\0-\x7f]/u],
  ['latin1', new RegExp(`[^\\0-\\x7f\\xa0-\\xff${LATIN1_CONTROLS}${CP1252}]`, 'u')],
  ['utf8', /[\u{10000}-\u{10ffff}]/u],
  ['utf8mb3', /[\u{10000}-\u{10ffff}]/u],
  ['ucs2', /[\u{10000}-\u{10ffff}]/u],
]);

/** The maximum number of bytes of a UTF-16 unit in any character set. */
const UNIT_BYTES_MAX = 4;
const SPACE = 0x20;
/**
 * For each character set, the characters that the servers silently store as other characters. They were found
 * by testing all characters. The servers themselves reject characters that a character set lacks.
 */
const MISREAD: ReadonlyMap<string, RegExp> = new Map([
  ['tis620', /[\u{10000}-\u{10ffff}]/u],
  ['cp932', /\u6661/],
]);

/** Converts a text for a text column. It may contain U+0000, but no lone surrogate. */
export function coerceString(column: CompiledColumn, text: string, purpose: Purpose): Coerced {
  if (!text.isWellFormed())
    return reject('The text contains half of a surrogate pair, which is not a character.', 'lone_surrogate');
  // CHAR columns do not store trailing spaces, so they are removed from values in filters too.
  const stored = column.type === 'char' ? withoutSpaces(text) : text;
  if (purpose !== 'write') return rejectCharset(column, stored) ?? fits(stored);
  const tooLong = findExcess(column, stored);
  if (tooLong !== null) return reject(tooLong, 'string_too_long');
  if (MISREAD.get(column.charset ?? '')?.test(stored) === true)
    return reject(
      `The character set ${column.charset ?? ''} of the column would change a character.`,
      'charset',
    );
  if (column.format !== null && !matchesFormat(stored, column.format))
    return reject(`This is not a valid ${column.format}.`, 'format');
  return fits(stored);
}

/**
 * Removes trailing spaces. It uses a loop, because a regular expression takes quadratic time for a long run
 * of spaces inside the text.
 */
function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === SPACE) end -= 1;
  return text.slice(0, end);
}

/**
 * Returns the number of UTF-16 units up to which every well-formed text is stored unchanged. Returns -1 if
 * each text must be checked.
 */
export function knownLength(column: CompiledColumn): number {
  if (
    column.valueKind !== 'string' ||
    column.type === 'char' ||
    column.format !== null ||
    MISREAD.has(column.charset ?? '')
  )
    return -1;
  return column.maxLength === null ? Number.POSITIVE_INFINITY : Math.floor(column.maxLength / UNIT_BYTES_MAX);
}

/**
 * Returns a message if the text is too long for its column, and null otherwise. CHAR and VARCHAR are measured
 * in characters, and the TEXT types in bytes of their character set. For character sets other than UTF-8, the
 * server itself checks the bytes.
 */
function findExcess(column: CompiledColumn, text: string): string | null {
  const max = column.maxLength;
  if (max === null || text.length * UNIT_BYTES_MAX <= max) return null;
  if (column.type.endsWith('text'))
    return isUtf8(column) && byteLength(text) > max ? `The text is longer than ${max} bytes.` : null;
  return characterLength(text) > max ? `The text is longer than ${max} characters.` : null;
}

function isUtf8(column: CompiledColumn): boolean {
  return column.charset === null || column.charset.startsWith('utf8');
}

function characterLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) length -= 1;
  }
  return length;
}

function byteLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // A surrogate pair takes 4 bytes in UTF-8, so each half counts as 2.
    length += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return length;
}

/**
 * Rejects a text in a filter or key if the column's character set cannot represent it. Returns null if it
 * can, or if only the server can determine this.
 */
export function rejectCharset(
  column: CompiledColumn,
  text: string,
): (Coerced & { readonly kind: 'refused' }) | null {
  const lacking = LACKING.get(column.charset ?? '')?.exec(text)?.[0];
  if (lacking === undefined) return null;
  return reject(
    `The character set ${column.charset ?? ''} of ${column.name} has no character ${JSON.stringify(lacking)}.`,
    'charset',
  );
}
