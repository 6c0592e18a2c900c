import { describe, expect, it } from 'vitest';
import { isSameResult } from './compare-answers.mjs';

describe('isSameResult', () => {
  it('results are equivalent if only their column order or duplicate rows differ', () => {
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

  it('results differ if the same values are combined into other rows', () => {
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

  it('results in another row order differ only when the order is compared', () => {
    expect(isSameResult([['a'], ['b']], [['b'], ['a']], true)).toBe(false);
    expect(isSameResult([['a'], ['b']], [['b'], ['a']], false)).toBe(true);
  });

  it('results with missing or additional rows differ', () => {
    expect(isSameResult([['a']], [['a', 'b']], false)).toBe(false);
    expect(isSameResult([['a']], [], false)).toBe(false);
    expect(isSameResult([], [], false)).toBe(true);
  });
});
