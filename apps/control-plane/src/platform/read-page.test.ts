import { expect, it } from 'vitest';
import { countWithin } from './read-page.js';

it('countWithin returns how many entries fit the byte limit, and at least one', () => {
  const sizes = (...bytes: (number | string)[]): { bytes: number | string }[] =>
    bytes.map((item) => ({ bytes: item }));
  expect(countWithin(sizes(), 10)).toBe(0);
  expect(countWithin(sizes(5, '5', 1), 10)).toBe(2);
  expect(countWithin(sizes(5, 5), 10)).toBe(2);
  expect(countWithin(sizes(11, 1), 10)).toBe(1);
});
