import type { Writable } from 'node:stream';

/**
 * The text of a stream on its way out, in a few buffers that are used again and again: as strings, what waits for the
 * client would outlive the young generation of the heap and pile up until the next full collection.
 */
export interface Pages {
  /** False: there is no room on this page; nothing was written. */
  write(text: string): boolean;
  /** As many of the bytes as have room on this page, from `start` on; gives how many. */
  copy(bytes: Buffer, start: number): number;
  /** Sends the page, if anything is on it, and takes another one. */
  turn(target: Writable): void;
  /** Bytes on the page. */
  waiting(): number;
}

export const PAGE_BYTES = 32 * 1024;
/** UTF-8 takes no more for a unit of UTF-16. */
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
    turn(target) {
      if (page === null || length === 0) return;
      const sent = page;
      // What was not sent is not used again either.
      target.write(sent.subarray(0, length), (error) => void (error ? undefined : free.push(sent)));
      page = null;
      length = 0;
    },
    waiting: () => length,
  };
}
