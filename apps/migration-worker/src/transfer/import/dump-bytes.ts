import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { unquoteString, type InsertText, type InsertValue } from '@rowhouse/query-engine';
import { isDecodable, lostCharacters } from './wide-charsets.js';

/**
 * Dumps are bytes: their syntax is ASCII, their texts are in the dump's character set, and values of binary columns stand
 * among them as they are. So a dump is read with one character for each byte, and texts are made of their bytes here.
 *
 * `utf8`, or the name of a character set as the servers write it.
 */
export type DumpCharset = string;

/** Names of the WHATWG encodings of character sets in which no character holds the byte of a quote or backslash. */
const ENCODINGS: Readonly<Record<string, string>> = {
  // What MySQL calls latin1 is Windows' code page.
  latin1: 'windows-1252', latin2: 'iso-8859-2', latin5: 'windows-1254', latin7: 'iso-8859-13', greek: 'iso-8859-7', hebrew: 'iso-8859-8',
  cp1250: 'windows-1250', cp1251: 'windows-1251', cp1256: 'windows-1256', cp1257: 'windows-1257', cp866: 'ibm866', koi8r: 'koi8-r',
  koi8u: 'koi8-u', macroman: 'macintosh', tis620: 'windows-874', euckr: 'euc-kr', gb2312: 'gbk', ujis: 'euc-jp', eucjpms: 'euc-jp',
};
const UTF8: ReadonlySet<string> = new Set(['utf8', 'utf8mb3', 'utf8mb4', 'ascii', 'binary']);
const decoders = new Map<string, TextDecoder>();

/** The character set that `SET NAMES` names; undefined for one whose texts are not read. */
export function toDumpCharset(name: string): DumpCharset | undefined {
  const word = name.toLowerCase();
  return isDecodable(word) ? word : toLiteralCharset(name);
}

/** The character set of a single literal, as its introducer names it. */
function toLiteralCharset(name: string): DumpCharset | undefined {
  const word = name.toLowerCase();
  if (UTF8.has(word)) return 'utf8';
  return Object.hasOwn(ENCODINGS, word) ? word : undefined;
}

/** Null for bytes that are no text of this character set. */
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

/** A value as SQL text in UTF-8. Bytes that are no text stay bytes. */
export function toSqlValue(value: InsertValue, charset: DumpCharset): string {
  if (value.kind === 'plain') return value.text;
  if (value.kind === 'text') return toSqlText(value, charset);
  return value.parts.map((part) => (typeof part === 'string' ? part : toSqlText(part, charset))).join(' ');
}

/** Whether a value of a decoded dump has bytes that decoding changed: those of binary values, and of literals in another character set. */
export function isDamaged(value: InsertValue, isText: boolean): boolean {
  if (value.kind === 'plain') return false;
  const literals = value.kind === 'text' ? [value] : value.parts.filter((part) => typeof part !== 'string');
  return literals.some(({ quoted, introducer }) => /[^\0-\x7f]/.test(quoted) && (!isText || introducer !== '' || lostCharacters(quoted)));
}

/** Whether a string literal without a character set of its own is no text of the dump's. */
export function isNoText(value: InsertValue, charset: DumpCharset): boolean {
  return value.kind === 'text' && value.introducer === '' && decodeText(value.quoted, charset) === null;
}

function toSqlText({ quoted, introducer }: InsertText, charset: DumpCharset): string {
  const own = introducer === '' ? charset : introducer === 'binary' ? undefined : toLiteralCharset(introducer);
  const asWritten = own === 'utf8' && quoted.startsWith("'") ? decodeText(quoted, own) : null;
  if (asWritten !== null) return asWritten;
  // A quote or backslash that is a part of a character elsewhere must not end the literal here.
  const content = unquoteString(quoted);
  const text = own === undefined ? null : decodeText(content, own);
  if (text !== null) return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
  const bytes = `x'${Buffer.from(content, 'latin1').toString('hex')}'`;
  return introducer === '' || own !== undefined || introducer === 'binary' ? bytes : `_${introducer} ${bytes}`;
}
