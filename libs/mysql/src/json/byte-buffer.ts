import { lendBytes, returnBytes } from './shared-bytes.js';

/** A growing buffer. Its fields are public, because every byte of every response passes through it. */
export class ByteBuffer {
  bytes: Buffer;
  at = 0;
  /** Non-ASCII bytes were copied without checking that they are UTF-8. */
  hasUnchecked = false;

  constructor(size: number) {
    this.bytes = lendBytes(size);
  }

  /** Ensures space for `size` more bytes. */
  reserve(size: number): void {
    if (this.at + size > this.bytes.length) this.#grow(size);
  }

  /** Appends a JavaScript string with any content. */
  writeText(text: string): void {
    this.reserve(text.length * BYTES_PER_UNIT_MAX);
    if (text.length <= SHORT_UNITS_MAX && this.#writeAscii(text)) return;
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Returns false and writes nothing when the text is not ASCII. */
  #writeAscii(text: string): boolean {
    const { bytes, at: offset } = this;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      bytes[offset + index] = unit;
    }
    this.at = offset + text.length;
    return true;
  }

  #grow(size: number): void {
    const grown = lendBytes(Math.max(this.at + size, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.at);
    returnBytes(this.bytes);
    this.bytes = grown;
  }
}

/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT_MAX = 3;
/** Up to this length, writing code units one by one is faster than a native call. */
const SHORT_UNITS_MAX = 32;
