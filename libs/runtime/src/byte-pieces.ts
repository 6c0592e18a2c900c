/** Bytes that come in pieces of any size. */
export interface BytePieces {
  add(piece: Buffer): void;
  /** All of them; one piece is given as it came. */
  join(): Buffer;
  /** Buffers that are kept until then. */
  count(): number;
}

/** Larger pieces stay as they are. */
const SMALL_BYTES_MAX = 16 * 1024;

/** Small pieces are put together while they come: a client that sends a byte at a time would have each take a hundred times its size, in the memory of all. */
export function createBytePieces(): BytePieces {
  const pieces: Buffer[] = [];
  let length = 0;

  /** Like the digits of a binary counter: each byte is copied a few times, and few pieces are left. */
  function merge(): void {
    for (;;) {
      const [before, last] = [pieces.at(-2), pieces.at(-1)];
      if (before === undefined || last === undefined || last.length > SMALL_BYTES_MAX || before.length > last.length) return;
      pieces.splice(-2, 2, Buffer.concat([before, last]));
    }
  }

  return {
    add(piece) {
      length += piece.length;
      pieces.push(piece);
      merge();
    },
    join() {
      const [only] = pieces;
      return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length);
    },
    count: () => pieces.length,
  };
}
