import type { CompiledColumn } from '@rowhouse/schema-model';
import { reject, type Coerced } from './coerced.js';

/** The characters from U+0080 to U+009F in MySQL's latin1, which is cp1252 with its gaps filled. */
const LATIN1_CONTROLS = '\u0081\u008d\u008f\u0090\u009d';
const CP1252 =
  '\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178';

/** Matches a character that the character set lacks. */
const LACKING: ReadonlyMap<string, RegExp> = new Map([
  ['ascii', /[^\0-\x7f]/u],
  ['latin1', new RegExp(`[^\\0-\\x7f\\xa0-\\xff${LATIN1_CONTROLS}${CP1252}]`, 'u')],
  ['utf8', /[\u{10000}-\u{10ffff}]/u],
  ['utf8mb3', /[\u{10000}-\u{10ffff}]/u],
  ['ucs2', /[\u{10000}-\u{10ffff}]/u],
]);

/**
 * Rejects a text in a filter or key that the column's character set cannot represent. Returns null if it can,
 * or if only the server knows.
 */
export function rejectCharset(
  column: CompiledColumn,
  text: string,
): (Coerced & { readonly kind: 'refused' }) | null {
  const lacking = LACKING.get(column.charset ?? '')?.exec(text)?.[0];
  if (lacking === undefined) return null;
  return reject(
    `The character set ${column.charset ?? ''} of ${column.name} does not have the character ${JSON.stringify(lacking)}.`,
    'charset',
  );
}
