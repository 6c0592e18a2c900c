import type { ByteBuffer } from './byte-buffer.js';

/** The maximum length of an integer in bytes: a sign and 20 digits. */
const DIGITS_MAX = 21;
const MINUS = 0x2d;
const ZERO = 0x30;
const BILLION = 1_000_000_000;
const WORD = 4_294_967_296;
/** If the upper 32 bits are at most this, a double represents the 64-bit number exactly. */
const HIGH_EXACT_MAX = 0x1f_ffff;

/** Writes a positive or negative integer that a double represents exactly. */
export function writeInteger(to: ByteBuffer, value: number): void {
  to.reserve(DIGITS_MAX);
  if (value < 0) {
    to.bytes[to.at++] = MINUS;
    writeDigits(to, -value);
  } else writeDigits(to, value);
}

/** Writes an 8-byte integer that is stored with its lowest byte first. */
export function writeInteger64(to: ByteBuffer, from: Buffer, offset: number, isUnsigned: boolean): void {
  const high = isUnsigned ? from.readUInt32LE(offset + 4) : from.readInt32LE(offset + 4);
  if (high >= 0 && high <= HIGH_EXACT_MAX) return writeInteger(to, high * WORD + from.readUInt32LE(offset));
  const text = String(isUnsigned ? from.readBigUInt64LE(offset) : from.readBigInt64LE(offset));
  to.reserve(DIGITS_MAX);
  to.at += to.bytes.write(text, to.at, 'latin1');
}

function writeDigits(to: ByteBuffer, value: number): void {
  if (value < BILLION) {
    writeSmall(to, value);
    return;
  }
  const high = Math.floor(value / BILLION);
  writeDigits(to, high);
  writePadded(to, value - high * BILLION, 9);
}

/** Writes an integer below one billion. */
function writeSmall(to: ByteBuffer, value: number): void {
  let width = 1;
  for (let bound = 10; value >= bound; bound *= 10) width += 1;
  writePadded(to, value, width);
}

/** Writes the last `width` digits of the number, with leading zeros. The buffer must have space for them. */
export function writePadded(to: ByteBuffer, value: number, width: number): void {
  const { bytes } = to;
  let rest = value | 0;
  for (let offset = to.at + width - 1; offset >= to.at; offset -= 1) {
    const tenth = (rest / 10) | 0;
    bytes[offset] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  to.at += width;
}
