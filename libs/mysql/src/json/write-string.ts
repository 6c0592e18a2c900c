import type { ByteBuffer } from './byte-buffer.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [LETTER_U, ZERO] = [0x75, 0x30];
const [PLAIN, ESCAPED, BEYOND_ASCII] = [0, 1, 2];
/** The maximum length of an escape in bytes, as in `\u00ff`. */
const ESCAPE_BYTES_MAX = 6;
/**
 * From this length on, it is faster to scan the bytes first and copy them at once than to copy them in a
 * loop.
 */
const COPY_BYTES_MIN = 64;
const HEX = Buffer.from('0123456789abcdef', 'latin1');

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? ESCAPED : byte < 0x80 ? PLAIN : BEYOND_ASCII,
);
/**
 * For each byte, the letter after the backslash of its escape. 0 means that the byte needs a numeric escape.
 */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? (/^"\\(.)"$/s.exec(JSON.stringify(String.fromCharCode(byte)))?.[1]?.charCodeAt(0) ?? 0) : 0,
);

/** Writes UTF-8 bytes as a JSON string, with the same result as `JSON.stringify`. */
export function writeString(to: ByteBuffer, from: Buffer, start: number, end: number): void {
  to.reserve(end - start + 2);
  to.bytes[to.at++] = QUOTE;
  writeStringPart(to, from, start, end);
  to.bytes[to.at++] = QUOTE;
}

/**
 * Writes a part of a JSON string without its quotes. The part may start or end in the middle of a character.
 * Afterwards, the buffer still has space for a closing quote.
 */
export function writeStringPart(to: ByteBuffer, from: Buffer, start: number, end: number): void {
  to.reserve(end - start + 1);
  if (end - start < COPY_BYTES_MIN || !copyPlain(to, from, start, end)) copyEscaped(to, from, start, end);
}

/** Copies bytes that need no escapes. Returns false and writes nothing if a byte must be escaped. */
function copyPlain(to: ByteBuffer, from: Buffer, start: number, end: number): boolean {
  let seen = 0;
  for (let offset = start; offset < end; offset += 1) {
    const kind = CLASSES[from[offset] as number] as number;
    if (kind === ESCAPED) return false;
    seen |= kind;
  }
  if (seen !== 0) to.hasUnchecked = true;
  from.copy(to.bytes, to.at, start, end);
  to.at += end - start;
  return true;
}

/** Copies bytes and escapes them where needed. Afterwards, the buffer still has space for a closing quote. */
function copyEscaped(to: ByteBuffer, from: Buffer, start: number, end: number): void {
  let { bytes, at: out } = to;
  let seen = 0;
  for (let offset = start; offset < end; offset += 1) {
    const byte = from[offset] as number;
    const kind = CLASSES[byte] as number;
    if (kind !== ESCAPED) {
      seen |= kind;
      bytes[out++] = byte;
      continue;
    }
    to.at = out;
    to.reserve(end - offset + ESCAPE_BYTES_MAX + 1);
    ({ bytes } = to);
    out = writeEscape(bytes, out, byte);
  }
  if (seen !== 0) to.hasUnchecked = true;
  to.at = out;
}

function writeEscape(bytes: Buffer, start: number, byte: number): number {
  let offset = start;
  bytes[offset++] = BACKSLASH;
  const letter = LETTERS[byte] as number;
  if (letter !== 0) {
    bytes[offset++] = letter;
    return offset;
  }
  bytes[offset++] = LETTER_U;
  bytes[offset++] = ZERO;
  bytes[offset++] = ZERO;
  bytes[offset++] = HEX[byte >> 4] as number;
  bytes[offset++] = HEX[byte & 15] as number;
  return offset;
}
