import { expect, it } from 'vitest';
import { createUnpackLimit } from './unpack-limit.js';

const GIBIBYTE = 1024 ** 3;

it('a dump may unpack to 1 GiB, or to a hundred times its size if that is more', () => {
  const limit = createUnpackLimit();
  limit.packed(1_000);
  limit.plain(GIBIBYTE);
  expect(() => limit.plain(1)).toThrow(
    expect.objectContaining({
      code: 'transfer.too_large',
      detail: expect.stringContaining('100 times'),
      hint: expect.stringContaining('in parts'),
    }),
  );
  const large = createUnpackLimit();
  large.packed(2 * GIBIBYTE);
  large.plain(64 * GIBIBYTE);
  expect(() => large.plain(1)).toThrow(
    expect.objectContaining({ code: 'transfer.too_large', detail: expect.stringContaining('64 GiB') }),
  );
});

it('the unpack limit depends on the number of bytes read so far', () => {
  const limit = createUnpackLimit();
  for (let part = 0; part < 30; part += 1) {
    limit.packed(GIBIBYTE / 100);
    limit.plain(GIBIBYTE - 100);
  }
  expect(() => limit.plain(GIBIBYTE)).toThrow('100 times');
});
