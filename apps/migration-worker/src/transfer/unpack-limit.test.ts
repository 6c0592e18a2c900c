import { expect, it } from 'vitest';
import { createUnpackBound } from './unpack-bound.js';

const GIBIBYTE = 1024 ** 3;

it('a dump may unpack to 1 GiB whatever its size, and beyond that to a hundred times its size', () => {
  const bound = createUnpackBound();
  bound.packed(1_000);
  bound.plain(GIBIBYTE);
  expect(() => bound.plain(1)).toThrow(expect.objectContaining({ code: 'transfer.too_large', detail: expect.stringContaining('100 times'), hint: expect.stringContaining('in parts') }));
  const large = createUnpackBound();
  large.packed(2 * GIBIBYTE);
  large.plain(64 * GIBIBYTE);
  expect(() => large.plain(1)).toThrow(expect.objectContaining({ code: 'transfer.too_large', detail: expect.stringContaining('64 GiB') }));
});

it('the limit depends on what was read so far, piece by piece', () => {
  const bound = createUnpackBound();
  for (let piece = 0; piece < 30; piece += 1) {
    bound.packed(GIBIBYTE / 100);
    bound.plain(GIBIBYTE - 100);
  }
  expect(() => bound.plain(GIBIBYTE)).toThrow('100 times');
});
