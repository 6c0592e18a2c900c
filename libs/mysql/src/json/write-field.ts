import type { ByteBuffer } from './byte-buffer.js';

const [QUOTE, COMMA, RETURN, LINE_END, SPACE] = [0x22, 0x2c, 0x0d, 0x0a, 0x20];
/** What a text may begin with that a spreadsheet runs; white space in front is looked at as such. */
const FORMULA_STARTS: readonly number[] = [0x3d, 0x2b, 0x2d, 0x40];
const [PLAIN, BEYOND_ASCII, BREAKS] = [0, 1, 2];

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => (byte === QUOTE || byte === COMMA || byte === RETURN || byte === LINE_END ? BREAKS : byte < 0x80 ? PLAIN : BEYOND_ASCII));

/**
 * Bytes of UTF-8 as a field of a CSV line, where they can stand there as they are: nothing in them to quote, neither
 * white space nor anything beyond ASCII at their ends. False where not: nothing was written.
 */
export function writePlainField(to: ByteBuffer, from: Buffer, start: number, end: number, mayBeFormula: boolean): boolean {
  if (end === start) return false;
  const first = from[start] as number;
  if (!isSolid(first) || !isSolid(from[end - 1] as number) || (!mayBeFormula && FORMULA_STARTS.includes(first))) return false;
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const kind = CLASSES[from[at] as number] as number;
    if (kind === BREAKS) return false;
    seen |= kind;
  }
  if (seen !== 0) to.hasUnchecked = true;
  to.reserve(end - start);
  from.copy(to.bytes, to.at, start, end);
  to.at += end - start;
  return true;
}

function isSolid(byte: number): boolean {
  return byte > SPACE && byte < 0x80;
}

/** Takes the quotes off what was written since `start`; two with nothing between them stay, as an empty text has them in CSV. */
export function dropQuotes(to: ByteBuffer, start: number): void {
  if (to.at - start <= 2) return;
  to.bytes.copyWithin(start, start + 1, to.at - 1);
  to.at -= 2;
}
