import { lendBytes, returnBytes } from './shared-bytes.js';

/** Bytes that are appended to. Its fields are open, since every byte of every answer passes through here. */
export class ByteBuffer {
  bytes: Buffer;
  at = 0;
  /** Something beyond ASCII was copied as it came: whether it is UTF-8 has not been looked at. */
  hasUnchecked = false;

  constructor(size: number) {
    this.bytes = lendBytes(size);
  }

  /** Makes room for `size` more. */
  reserve(size: number): void {
    if (this.at + size > this.bytes.length) this.#grow(size);
  }

  /** Text of JavaScript, which may be anything. */
  writeText(text: string): void {
    this.reserve(text.length * BYTES_PER_UNIT_MAX);
    if (text.length <= SHORT_UNITS_MAX && this.#writeAscii(text)) return;
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** False, and nothing written, when it is not ASCII. */
  #writeAscii(text: string): boolean {
    const { bytes, at } = this;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      bytes[at + index] = unit;
    }
    this.at = at + text.length;
    return true;
  }

  #grow(size: number): void {
    const grown = lendBytes(Math.max(this.at + size, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    returnBytes(this.bytes);
    this.bytes = grown;
  }
}

/** UTF-8 takes no more for a unit of UTF-16. */
const BYTES_PER_UNIT_MAX = 3;
/** Up to here writing unit by unit is faster than a call. */
const SHORT_UNITS_MAX = 32;
