import type { ByteBuffer } from './byte-buffer.js';
import { writePadded } from './write-digits.js';

const [QUOTE, DASH, LETTER_T, LETTER_Z, COLON, POINT, ZERO] = [0x22, 0x2d, 0x54, 0x5a, 0x3a, 0x2e, 0x30];
/** The maximum length of a time in bytes, as in `"2026-01-31T12:00:00.000000Z"`. */
const BYTES_MAX = 29;
const MICROS_DIGITS = 6;

/** Writes a DATE of the protocol as `"2026-01-31"`. `offset` is the position of its length byte. */
export function writeDay(to: ByteBuffer, from: Buffer, offset: number): void {
  to.reserve(BYTES_MAX);
  to.bytes[to.at++] = QUOTE;
  writeDayParts(to, from, offset);
  to.bytes[to.at++] = QUOTE;
}

export interface MomentForm {
  /** The number of fractional digits. */
  readonly fraction: number;
  /**
   * The number of fractional digits that the server reports for the column. With 0, all received digits are
   * written.
   */
  readonly decimals: number;
  readonly isUtc: boolean;
}

/**
 * Writes a DATETIME or TIMESTAMP such as `"2026-01-31T12:00:00.500"`. In the protocol, trailing parts that
 * are zero are omitted.
 */
export function writeMoment(
  to: ByteBuffer,
  from: Buffer,
  offset: number,
  { fraction, decimals, isUtc }: MomentForm,
): void {
  to.reserve(BYTES_MAX);
  const { bytes } = to;
  const length = from[offset] as number;
  const hasTime = length > 6;
  bytes[to.at++] = QUOTE;
  writeDayParts(to, from, offset);
  bytes[to.at++] = LETTER_T;
  writePadded(to, hasTime ? (from[offset + 5] as number) : 0, 2);
  bytes[to.at++] = COLON;
  writePadded(to, hasTime ? (from[offset + 6] as number) : 0, 2);
  bytes[to.at++] = COLON;
  writePadded(to, hasTime ? (from[offset + 7] as number) : 0, 2);
  if (fraction > 0) {
    bytes[to.at++] = POINT;
    writeFraction(
      to,
      length > 10 ? from.readUInt32LE(offset + 8) : 0,
      fraction,
      decimals > 0 ? decimals : MICROS_DIGITS,
    );
  }
  if (isUtc) bytes[to.at++] = LETTER_Z;
  bytes[to.at++] = QUOTE;
}

function writeDayParts(to: ByteBuffer, from: Buffer, offset: number): void {
  const exists = (from[offset] as number) >= 4;
  writePadded(to, exists ? from.readUInt16LE(offset + 1) : 0, 4);
  to.bytes[to.at++] = DASH;
  writePadded(to, exists ? (from[offset + 3] as number) : 0, 2);
  to.bytes[to.at++] = DASH;
  writePadded(to, exists ? (from[offset + 4] as number) : 0, 2);
}

/** Writes the fractional digits without trailing zeros, but at least as many as the column's precision. */
function writeFraction(to: ByteBuffer, micros: number, fraction: number, known: number): void {
  const start = to.at;
  writePadded(to, micros, MICROS_DIGITS);
  for (let digit = known; digit < fraction; digit += 1) to.bytes[start + digit] = ZERO;
  to.at = start + fraction;
}
