import type { ByteBuffer } from './byte-buffer.js';

const [QUOTE, COMMA, RETURN, LINE_END, SPACE] = [0x22, 0x2c, 0x0d, 0x0a, 0x20];
/** Characters that start a formula in spreadsheets. Leading white space is skipped. */
const FORMULA_STARTS: readonly number[] = [0x3d, 0x2b, 0x2d, 0x40];
const [PLAIN, BEYOND_ASCII, BREAKS] = [0, 1, 2];

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === COMMA || byte === RETURN || byte === LINE_END
    ? BREAKS
    : byte < 0x80
      ? PLAIN
      : BEYOND_ASCII,
);

/**
 * Writes UTF-8 bytes as a CSV field, if they need no quotes and neither start nor end with white space or a
 * non-ASCII character. Otherwise it returns false and writes nothing.
 */
export function writePlainField(
  to: ByteBuffer,
  from: Buffer,
  start: number,
  end: number,
  mayBeFormula: boolean,
): boolean {
  if (end === start) return false;
  const first = from[start] as number;
  if (
    !isSolid(first) ||
    !isSolid(from[end - 1] as number) ||
    (!mayBeFormula && FORMULA_STARTS.includes(first))
  )
    return false;
  let seen = 0;
  for (let offset = start; offset < end; offset += 1) {
    const kind = CLASSES[from[offset] as number] as number;
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

/**
 * Removes the JSON quotes of the text written since `start`. If the text is empty, they stay, because CSV
 * requires them there.
 */
export function dropQuotes(to: ByteBuffer, start: number): void {
  if (to.at - start <= 2) return;
  to.bytes.copyWithin(start, start + 1, to.at - 1);
  to.at -= 2;
}
