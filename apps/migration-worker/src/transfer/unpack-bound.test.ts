import { expect, it } from 'vitest';
import { createUnpackBound } from './unpack-bound.js';

const GIBIBYTE = 1024 ** 3;

it('lets a dump be a GiB whatever it was packed into, and a hundred times what was sent beyond', () => {
  const bound = createUnpackBound();
  bound.packed(1_000);
  bound.plain(GIBIBYTE);
  expect(() => bound.plain(1)).toThrow(expect.objectContaining({ code: 'transfer.too_large', detail: expect.stringContaining('100 times'), hint: expect.stringContaining('in parts') }));
  const large = createUnpackBound();
  large.packed(2 * GIBIBYTE);
  large.plain(64 * GIBIBYTE);
  expect(() => large.plain(1)).toThrow(expect.objectContaining({ code: 'transfer.too_large', detail: expect.stringContaining('64 GiB') }));
});

it('goes by what was read until then, piece by piece', () => {
  const bound = createUnpackBound();
  for (let piece = 0; piece < 30; piece += 1) {
    bound.packed(GIBIBYTE / 100);
    bound.plain(GIBIBYTE - 100);
  }
  expect(() => bound.plain(GIBIBYTE)).toThrow('100 times');
});
