import type { Writable } from 'node:stream';

/**
 * Buffers the text of a stream in a few pages that are reused. Strings that wait for the client would become
 * part of the heap's old generation, and stay there until the next full garbage collection.
 */
export interface Pages {
  /** Returns false, and writes nothing, when the page has not enough space. */
  write(text: string): boolean;
  /** Copies as many bytes as fit on this page, starting at `start`, and returns their number. */
  copy(bytes: Buffer, start: number): number;
  /** Sends the page, unless it is empty, and starts a new one. */
  flush(target: Writable): void;
  /** Returns the number of bytes on the page. */
  waiting(): number;
}

export const PAGE_BYTES = 32 * 1024;
/** UTF-8 takes at most 3 bytes for a UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;

export function createPages(): Pages {
  const free: Buffer[] = [];
  let page: Buffer | null = null;
  let length = 0;
  return {
    write(text) {
      if (text.length * BYTES_PER_UNIT_MAX > PAGE_BYTES - length) return false;
      page ??= free.pop() ?? Buffer.allocUnsafeSlow(PAGE_BYTES);
      length += page.write(text, length, 'utf8');
      return true;
    },
    copy(bytes, start) {
      page ??= free.pop() ?? Buffer.allocUnsafeSlow(PAGE_BYTES);
      const copied = bytes.copy(page, length, start);
      length += copied;
      return copied;
    },
    flush(target) {
      if (page === null || length === 0) return;
      const sent = page;
      // After an error, the page may still be in use, so it is not used again.
      target.write(sent.subarray(0, length), (error) => void (error ? undefined : free.push(sent)));
      page = null;
      length = 0;
    },
    waiting: () => length,
  };
}
