import { expect, it } from 'vitest';
import { isLike } from './is-like.js';

it.each([
  ['posts', 'posts', true],
  ['Posts', 'pOSTS', true],
  ['posts', 'post', false],
  ['posts', 'post_', true],
  ['posts', 'post__', false],
  ['posts', '%', true],
  ['', '%', true],
  ['', '', true],
  ['', '_', false],
  ['post_tags', 'post\\_tags', true],
  ['postxtags', 'post\\_tags', false],
  ['100%', '100\\%', true],
  ['1000', '100\\%', false],
  ['a\\', 'a\\\\', true],
  ['a\\', 'a\\', true],
  ['abcabc', '%abc', true],
  ['abcabd', '%abc', false],
  ['abcabc', 'a%b%c', true],
  ['abab', '%a_', true],
  ['mississippi', 'm%iss%pi', true],
  ['mississippi', 'm%isx%pi', false],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['x😀y', 'x_y', true],
  ['line\nline', 'line%e', true],
  ['a', '%%%%', true],
])('isLike(%j, %j) is %s', (text, pattern, expected) => {
  expect(isLike(text, pattern)).toBe(expected);
});

it('isLike matches a pattern with many wildcards without exponential time', () => {
  // This measures time, because the steps cannot be counted. Trying every split of the text among the
  // wildcards would never end.
  const startedMs = performance.now();
  expect(isLike('a'.repeat(64), `${'%_'.repeat(40)}%zzz`)).toBe(false);
  expect(isLike('a'.repeat(5_000), `${'%a'.repeat(500)}%b`)).toBe(false);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});
