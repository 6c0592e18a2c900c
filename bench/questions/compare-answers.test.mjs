import { describe, expect, it } from 'vitest';
import { isSameResult } from './compare-answers.mjs';

describe('isSameResult', () => {
  it('isSameResult accepts results that differ only in column order or duplicate rows', () => {
    expect(
      isSameResult(
        [
          ['a', '1'],
          ['b', '2'],
        ],
        [
          ['2', 'b'],
          ['1', 'a'],
          ['1', 'a'],
        ],
        false,
      ),
    ).toBe(true);
  });

  it('isSameResult rejects results that combine the same values into other rows', () => {
    expect(
      isSameResult(
        [
          ['a', '1'],
          ['b', '2'],
        ],
        [
          ['a', '2'],
          ['b', '1'],
        ],
        false,
      ),
    ).toBe(false);
  });

  it('isSameResult compares the order of rows only on request', () => {
    expect(isSameResult([['a'], ['b']], [['b'], ['a']], true)).toBe(false);
    expect(isSameResult([['a'], ['b']], [['b'], ['a']], false)).toBe(true);
  });

  it('isSameResult rejects results with missing or additional rows', () => {
    expect(isSameResult([['a']], [['a', 'b']], false)).toBe(false);
    expect(isSameResult([['a']], [], false)).toBe(false);
    expect(isSameResult([], [], false)).toBe(true);
  });
});
