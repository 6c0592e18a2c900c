/**
 * Reusable buffers. The garbage collector counts their memory although it is outside of the JavaScript heap.
 * If buffers were dropped after each response, about 90 MB of them would trigger a full garbage collection,
 * which stops all requests of the process.
 */

/**
 * The minimum size of reused buffers in bytes. Node cuts smaller buffers from larger ones, so dropping them
 * is cheap.
 */
const SHARED_BYTES_MIN = 2 * 1024;

/** The maximum size of reused buffers in bytes. Larger buffers are too rare to keep. */
const SHARED_BYTES_MAX = 4 * 1024 * 1024;

/** The maximum total size of the cached buffers. */
const FREE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Buffers of one size, a power of two. The most recently used one is lent first, because it is in the CPU
 * cache.
 */
interface SizeClass {
  readonly waiting: Buffer[];
  /** When a buffer of this size was last used, as a number that counts the uses of all sizes. */
  lastUse: number;
}

const sizes = new Map<number, SizeClass>();

let uses = 0;

let freeBytes = 0;

/** The buffers that are lent now, by their memory. If a buffer is never returned, it is garbage collected. */
const lent = new WeakMap<ArrayBufferLike, Buffer>();
/** A growing buffer. Its fields are public, because every byte of every response passes through it. */
export class ByteBuffer {
  bytes: Buffer;
  at = 0;
  /** Whether non-ASCII bytes were copied without checking that they are UTF-8. */
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

  /** Appends ASCII text. If the text is not ASCII, it returns false and writes nothing. */
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
/** Up to this length, writing the code units in a loop is faster than a native call. */
const SHORT_UNITS_MAX = 32;

function useSize(length: number): SizeClass {
  let size = sizes.get(length);
  if (size === undefined) sizes.set(length, (size = { waiting: [], lastUse: 0 }));
  size.lastUse = uses += 1;
  return size;
}

/**
 * Returns a buffer of at least `size` bytes with arbitrary content. Return it with `returnBytes`, or drop it.
 */
export function lendBytes(size: number): Buffer {
  if (size < SHARED_BYTES_MIN || size > SHARED_BYTES_MAX) return Buffer.allocUnsafe(size);
  const length = 2 ** Math.ceil(Math.log2(size));
  const waiting = useSize(length).waiting.pop();
  if (waiting !== undefined) freeBytes -= length;
  const buffer = waiting ?? Buffer.allocUnsafeSlow(length);
  lent.set(buffer.buffer, buffer);
  return buffer;
}

/**
 * Takes a buffer, or a part of one, back after its last use. A buffer that was not lent here, or that was
 * already returned, is ignored.
 */
export function returnBytes(bytes: Uint8Array): void {
  const buffer = lent.get(bytes.buffer);
  if (buffer === undefined || !lent.delete(bytes.buffer)) return;
  const size = useSize(buffer.length);
  while (freeBytes + buffer.length > FREE_BYTES_MAX) if (!dropOne(size)) return;
  freeBytes += buffer.length;
  size.waiting.push(buffer);
}

/**
 * Drops a buffer of the size that was not used for the longest time, so that buffers for short responses do
 * not take the space of long ones. Returns false if all cached buffers have the requested size.
 */
function dropOne(requested: SizeClass): boolean {
  let oldest: SizeClass | null = null;
  for (const size of sizes.values()) {
    if (size !== requested && size.waiting.length > 0 && (oldest === null || size.lastUse < oldest.lastUse))
      oldest = size;
  }
  const dropped = oldest?.waiting.pop();
  if (dropped === undefined) return false;
  freeBytes -= dropped.length;
  return true;
}
