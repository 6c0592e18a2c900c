/** Collects bytes that arrive in chunks of any size. */
export interface ByteChunks {
  add(chunk: Buffer): void;
  /** Returns all bytes. A single chunk is returned without copying it. */
  join(): Buffer;
  /** Returns the number of stored buffers. */
  count(): number;
}

/** The maximum size in bytes of chunks that are merged with others. */
const SMALL_BYTES_MAX = 16 * 1024;

/**
 * Creates a collector that merges small chunks as they arrive. Otherwise, a client that sends single bytes
 * would use about a hundred times the size of its body in memory.
 */
export function createByteChunks(): ByteChunks {
  const chunks: Buffer[] = [];
  let length = 0;

  /**
   * Merges chunks as a binary counter carries its digits: each byte is copied a few times, and only a few
   * buffers remain.
   */
  function merge(): void {
    for (;;) {
      const [before, last] = [chunks.at(-2), chunks.at(-1)];
      if (
        before === undefined ||
        last === undefined ||
        last.length > SMALL_BYTES_MAX ||
        before.length > last.length
      )
        return;
      chunks.splice(-2, 2, Buffer.concat([before, last]));
    }
  }

  return {
    add(chunk) {
      length += chunk.length;
      chunks.push(chunk);
      merge();
    },
    join() {
      const [only] = chunks;
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
    },
    count: () => chunks.length,
  };
}
