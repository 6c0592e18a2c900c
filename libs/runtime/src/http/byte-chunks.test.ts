import { expect, it } from 'vitest';
import { createByteChunks } from './byte-chunks.js';

it('bytes that arrive one at a time are joined in order into few buffers', () => {
  const byteChunks = createByteChunks();
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  let maximum = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    byteChunks.add(bytes.subarray(index, index + 1));
    maximum = Math.max(maximum, byteChunks.count());
  }
  expect(byteChunks.join().equals(bytes)).toBe(true);
  expect(maximum).toBeLessThan(40);
});

it('byte chunks of any size stay in order, and a single chunk is returned unchanged', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 253));
  const byteChunks = createByteChunks();
  for (let index = 0, size = 1; index < bytes.length; index += size, size = (size * 7 + 3) % 70_000)
    byteChunks.add(bytes.subarray(index, index + size));
  expect(byteChunks.join().equals(bytes)).toBe(true);
  const item = createByteChunks();
  item.add(bytes);
  expect([item.join() === bytes, createByteChunks().join().length]).toEqual([true, 0]);
});
