import { expect, it } from 'vitest';
import { createBytePieces } from './byte-pieces.js';

it('bytes that arrive one at a time are joined into few buffers in order', () => {
  const pieces = createBytePieces();
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251));
  let most = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    pieces.add(bytes.subarray(at, at + 1));
    most = Math.max(most, pieces.count());
  }
  expect(pieces.join().equals(bytes)).toBe(true);
  expect(most).toBeLessThan(40);
});

it('pieces of any size stay in order, and a single piece is returned unchanged', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 253));
  const pieces = createBytePieces();
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7 + 3) % 70_000) pieces.add(bytes.subarray(at, at + size));
  expect(pieces.join().equals(bytes)).toBe(true);
  const one = createBytePieces();
  one.add(bytes);
  expect([one.join() === bytes, createBytePieces().join().length]).toEqual([true, 0]);
});
