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

/** By size, a power of two; the one that was used last comes first, for it is in the cache. */
const free = new Map<number, Buffer[]>();
let freeBytes = 0;
/** Those in use, by their memory: what nobody gives back is collected like any other. */
const lent = new WeakMap<ArrayBufferLike, Buffer>();

/** A buffer of at least `size` bytes with anything in it. To be given back by `returnBytes`, or forgotten. */
export function lendBytes(size: number): Buffer {
  if (size < SHARED_BYTES_MIN || size > SHARED_BYTES_MAX) return Buffer.allocUnsafe(size);
  const length = 2 ** Math.ceil(Math.log2(size));
  const waiting = free.get(length)?.pop();
  if (waiting !== undefined) freeBytes -= length;
  const buffer = waiting ?? Buffer.allocUnsafeSlow(length);
  lent.set(buffer.buffer, buffer);
  return buffer;
}

/** By whoever is the last to use `bytes`, which may be a part of what was lent. Of other buffers, and of one that was given back before, nothing is kept. */
export function returnBytes(bytes: Uint8Array): void {
  const buffer = lent.get(bytes.buffer);
  if (buffer === undefined || !lent.delete(bytes.buffer)) return;
  if (freeBytes + buffer.length > FREE_BYTES_MAX) return;
  freeBytes += buffer.length;
  const waiting = free.get(buffer.length);
  if (waiting === undefined) free.set(buffer.length, [buffer]);
  else waiting.push(buffer);
}
