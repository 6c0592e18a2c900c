import { expect, it } from 'vitest';
import { splitList } from './split-list.js';

it.each([
  ['', []],
  ['a,b', ['a', 'b']],
  ['"a,b",c', ['a,b', 'c']],
  ['"a""b"', ['a"b']],
  ['a,', ['a', '']],
  ['"a', null],
  ['["a",1,true]', ['a', '1', 'true']],
  ['[null]', null],
  ['[', null],
])('splitList splits the list %s', (text, items) => {
  expect(splitList(text, 3)).toEqual(items);
});

it.each([`1${',1'.repeat(4_000_000)}`, `[1${',1'.repeat(400_000)}]`])(
  'splitList stops at the maximum number of items: %.10s',
  (text) => {
    expect(splitList(text, 1_000)).toHaveLength(1_001);
  },
);
