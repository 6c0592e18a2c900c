import { ByteBuffer } from '../json/byte-buffer.js';

/**
 * Returns what `write` has written, as text. The buffer is created too small, so that its growth is always
 * tested.
 */
export function written(write: (to: ByteBuffer) => void): string {
  const to = new ByteBuffer(1);
  write(to);
  return to.bytes.toString('utf8', 0, to.at);
}
