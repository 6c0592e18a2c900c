import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { unquoteString, type InsertText, type InsertValue } from '@rowhouse/query-engine';
import { isDecodable, lostCharacters } from './wide-charsets.js';

/**
 * The character set of the texts in a dump: `utf8`, or a name as the servers write it.
 * The syntax of a dump is ASCII, its texts are in the dump's character set, and its binary values are
 * unencoded bytes. A dump is therefore read with one character per byte, and its texts are decoded
 * afterwards.
 */
export type DumpCharset = string;

/** The WHATWG encodings of character sets in which no character contains the byte of a quote or backslash. */
const ENCODINGS: Readonly<Record<string, string>> = {
  // MySQL's latin1 is Windows code page 1252.
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'windows-1254',
  latin7: 'iso-8859-13',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp866: 'ibm866',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  macroman: 'macintosh',
  tis620: 'windows-874',
  euckr: 'euc-kr',
  gb2312: 'gbk',
  ujis: 'euc-jp',
  eucjpms: 'euc-jp',
};
const UTF8: ReadonlySet<string> = new Set(['utf8', 'utf8mb3', 'utf8mb4', 'ascii', 'binary']);
const decoders = new Map<string, TextDecoder>();

/**
 * Returns the character set that `SET NAMES` names. Returns undefined when texts in that character set are
 * not supported.
 */
export function toDumpCharset(name: string): DumpCharset | undefined {
  const word = name.toLowerCase();
  return isDecodable(word) ? word : toLiteralCharset(name);
}

/** Returns the character set that a literal's introducer names. */
function toLiteralCharset(name: string): DumpCharset | undefined {
  const word = name.toLowerCase();
  if (UTF8.has(word)) return 'utf8';
  return Object.hasOwn(ENCODINGS, word) ? word : undefined;
}

/** Decodes a text. Returns null for bytes that are invalid in the character set. */
export function decodeText(bytes: string, charset: DumpCharset): string | null {
  const buffer = Buffer.from(bytes, 'latin1');
  if (charset === 'utf8') return isUtf8(buffer) ? buffer.toString('utf8') : null;
  try {
    return findDecoder(charset).decode(buffer);
  } catch {
    return null;
  }
}

function findDecoder(charset: DumpCharset): TextDecoder {
  const known = decoders.get(charset);
  if (known !== undefined) return known;
  const decoder = new TextDecoder(ENCODINGS[charset], { fatal: true, ignoreBOM: true });
  decoders.set(charset, decoder);
  return decoder;
}

/** Returns a value as SQL text in UTF-8. Bytes that are not valid text are written as bytes. */
export function toSqlValue(value: InsertValue, charset: DumpCharset): string {
  if (value.kind === 'plain') return value.text;
  if (value.kind === 'text') return toSqlText(value, charset);
  return value.parts.map((part) => (typeof part === 'string' ? part : toSqlText(part, charset))).join(' ');
}

/**
 * Returns whether decoding has changed bytes of a value. That affects binary values and literals in another
 * character set.
 */
export function isDamaged(value: InsertValue, isText: boolean): boolean {
  if (value.kind === 'plain') return false;
  const literals = value.kind === 'text' ? [value] : value.parts.filter((part) => typeof part !== 'string');
  return literals.some(
    ({ quoted, introducer }) =>
      /[^\0-\x7f]/.test(quoted) && (!isText || introducer !== '' || lostCharacters(quoted)),
  );
}

/** Returns whether a string literal without its own character set is invalid in the dump's character set. */
export function isNoText(value: InsertValue, charset: DumpCharset): boolean {
  return value.kind === 'text' && value.introducer === '' && decodeText(value.quoted, charset) === null;
}

function toSqlText({ quoted, introducer }: InsertText, charset: DumpCharset): string {
  const own =
    introducer === '' ? charset : introducer === 'binary' ? undefined : toLiteralCharset(introducer);
  const asWritten = own === 'utf8' && quoted.startsWith("'") ? decodeText(quoted, own) : null;
  if (asWritten !== null) return asWritten;
  // In another character set, the byte of a quote or backslash may be a part of a character. Such a byte must
  // not end the literal here.
  const content = unquoteString(quoted);
  const text = own === undefined ? null : decodeText(content, own);
  if (text !== null)
    return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
  const bytes = `x'${Buffer.from(content, 'latin1').toString('hex')}'`;
  return introducer === '' || own !== undefined || introducer === 'binary'
    ? bytes
    : `_${introducer} ${bytes}`;
}
