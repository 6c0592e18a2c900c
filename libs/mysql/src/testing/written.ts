import { ByteBuffer } from '../json/byte-buffer.js';

/** Uses a buffer that is too small, so that growing is always tested. */
export function written(write: (to: ByteBuffer) => void): string {
  const to = new ByteBuffer(1);
  write(to);
  return to.bytes.toString('utf8', 0, to.at);
}
