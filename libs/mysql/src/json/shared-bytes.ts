/**
 * Buffers that are used again and again. What lies outside of the JavaScript heap counts against it: thrown away
 * after each answer, some 90 MB of it set off a full collection, which stops every request of the process.
 */

/** In bytes: smaller ones are cut from larger ones by Node, and cost the collector little. */
const SHARED_BYTES_MIN = 2 * 1024;
/** Larger ones are too rare to be kept. */
const SHARED_BYTES_MAX = 4 * 1024 * 1024;
/** Of buffers that wait for use, all together. */
const FREE_BYTES_MAX = 16 * 1024 * 1024;

/** Buffers of one size, a power of two; the one that was used last comes first, for it is in the cache. */
interface SizeClass {
  readonly waiting: Buffer[];
  /** By the count of uses of all sizes. */
  lastUse: number;
}

const sizes = new Map<number, SizeClass>();
let uses = 0;
let freeBytes = 0;
/** Those in use, by their memory: what nobody gives back is collected like any other. */
const lent = new WeakMap<ArrayBufferLike, Buffer>();

function useSize(length: number): SizeClass {
  let size = sizes.get(length);
  if (size === undefined) sizes.set(length, (size = { waiting: [], lastUse: 0 }));
  size.lastUse = uses += 1;
  return size;
}

/** A buffer of at least `size` bytes with anything in it. To be given back by `returnBytes`, or forgotten. */
export function lendBytes(size: number): Buffer {
  if (size < SHARED_BYTES_MIN || size > SHARED_BYTES_MAX) return Buffer.allocUnsafe(size);
  const length = 2 ** Math.ceil(Math.log2(size));
  const waiting = useSize(length).waiting.pop();
  if (waiting !== undefined) freeBytes -= length;
  const buffer = waiting ?? Buffer.allocUnsafeSlow(length);
  lent.set(buffer.buffer, buffer);
  return buffer;
}

/** By whoever is the last to use `bytes`, which may be a part of what was lent. Of other buffers, and of one that was given back before, nothing is kept. */
export function returnBytes(bytes: Uint8Array): void {
  const buffer = lent.get(bytes.buffer);
  if (buffer === undefined || !lent.delete(bytes.buffer)) return;
  const size = useSize(buffer.length);
  while (freeBytes + buffer.length > FREE_BYTES_MAX) if (!dropOne(size)) return;
  freeBytes += buffer.length;
  size.waiting.push(buffer);
}

/** Of the size that was not used for the longest: what an hour of short answers left behind keeps no place from long ones. False when only this size waits. */
function dropOne(wanted: SizeClass): boolean {
  let oldest: SizeClass | null = null;
  for (const size of sizes.values()) {
    if (size !== wanted && size.waiting.length > 0 && (oldest === null || size.lastUse < oldest.lastUse)) oldest = size;
  }
  const dropped = oldest?.waiting.pop();
  if (dropped === undefined) return false;
  freeBytes -= dropped.length;
  return true;
}
