import { expect, it } from 'vitest';
import { memoizeWords } from './inflect.js';

it('the result for a word is computed once, and the cache is cleared when it is full', () => {
  const created: string[] = [];
  const double = memoizeWords((word) => {
    created.push(word);
    return word + word;
  });
  expect([double('a'), double('a'), double('b')]).toEqual(['aa', 'aa', 'bb']);
  expect(created).toEqual(['a', 'b']);
  for (let index = 0; index < 5_000; index += 1) double(`word ${index}`);
  expect(double('a')).toBe('aa');
  expect(created.filter((word) => word === 'a')).toHaveLength(2);
});
