import { expect, it } from 'vitest';
import { rememberWords } from './remember-words.js';

it('the result for a word is computed once, and the cache is cleared when it is full', () => {
  const made: string[] = [];
  const double = rememberWords((word) => { made.push(word); return word + word; });
  expect([double('a'), double('a'), double('b')]).toEqual(['aa', 'aa', 'bb']);
  expect(made).toEqual(['a', 'b']);
  for (let at = 0; at < 5_000; at += 1) double(`word ${at}`);
  expect(double('a')).toBe('aa');
  expect(made.filter((word) => word === 'a')).toHaveLength(2);
});
