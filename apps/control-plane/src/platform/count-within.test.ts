import { expect, it } from 'vitest';
import { countWithin } from './count-within.js';

it('counts those that have room together, and one in any case', () => {
  const sizes = (...bytes: (number | string)[]): { bytes: number | string }[] => bytes.map((one) => ({ bytes: one }));
  expect(countWithin(sizes(), 10)).toBe(0);
  expect(countWithin(sizes(5, '5', 1), 10)).toBe(2);
  expect(countWithin(sizes(5, 5), 10)).toBe(2);
  expect(countWithin(sizes(11, 1), 10)).toBe(1);
});
