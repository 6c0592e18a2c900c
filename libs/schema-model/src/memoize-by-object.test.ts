import { expect, it, vi } from 'vitest';
import { memoizeByObject } from './memoize-by-object.js';

it('memoizeByObject calls the function once for each object, even if it returns undefined', () => {
  const make = vi.fn(({ value }: { value?: number }) => value);
  const memoized = memoizeByObject(make);
  const [empty, full] = [{}, { value: 1 }];
  expect([memoized(empty), memoized(empty), memoized(full), memoized(full)]).toEqual([
    undefined,
    undefined,
    1,
    1,
  ]);
  expect(make).toHaveBeenCalledTimes(2);
});
