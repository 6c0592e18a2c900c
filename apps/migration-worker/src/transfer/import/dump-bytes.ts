import { isUtf8 } from 'node:buffer';
import { unquoteString, type InsertValue } from '@rowhouse/query-engine';

/**
 * Dumps are bytes: their syntax is ASCII, their texts are in the dump's character set, and values of binary columns stand
 * among them as they are. So a dump is read with one character for each byte, and texts are made of their bytes here.
 */
export type DumpCharset = 'utf8' | 'latin1';

/** The character sets that `SET NAMES` may name; undefined for others. */
export function toDumpCharset(name: string): DumpCharset | undefined {
  const word = name.toLowerCase();
  if (word === 'utf8' || word === 'utf8mb3' || word === 'utf8mb4' || word === 'ascii' || word === 'binary') return 'utf8';
  return word === 'latin1' ? 'latin1' : undefined;
}

// What MySQL calls latin1 is Windows' code page.
const LATIN1 = new TextDecoder('windows-1252');

/** Null for bytes that are no text of this character set. */
export function decodeText(bytes: string, charset: DumpCharset): string | null {
  const buffer = Buffer.from(bytes, 'latin1');
  if (charset === 'latin1') return LATIN1.decode(buffer);
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
}

/** A value as SQL text in UTF-8. What is no text goes as its bytes. */
export function toSqlValue(value: InsertValue, charset: DumpCharset): string {
  if (value.kind === 'plain') return value.text;
  const own = value.introducer === '' ? charset : value.introducer === 'binary' ? undefined : toDumpCharset(value.introducer);
  const text = own === undefined ? null : decodeText(value.quoted, own);
  if (text !== null && text.startsWith("'")) return text;
  const content = unquoteString(value.quoted);
  if (text !== null && own !== undefined) return `'${(decodeText(content, own) ?? '').replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
  return `x'${Buffer.from(content, 'latin1').toString('hex')}'`;
}
