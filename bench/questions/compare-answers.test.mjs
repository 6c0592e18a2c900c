import { describe, expect, it } from 'vitest';
import { saysTheSame } from './compare-answers.mjs';

describe('saysTheSame', () => {
  it('columns may have any order, and duplicate rows count once', () => {
    expect(
      saysTheSame(
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

  it('values of the same row stay together', () => {
    expect(
      saysTheSame(
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

  it('the order of rows is compared on request', () => {
    expect(saysTheSame([['a'], ['b']], [['b'], ['a']], true)).toBe(false);
    expect(saysTheSame([['a'], ['b']], [['b'], ['a']], false)).toBe(true);
  });

  it('missing and additional rows make results different', () => {
    expect(saysTheSame([['a']], [['a', 'b']], false)).toBe(false);
    expect(saysTheSame([['a']], [], false)).toBe(false);
    expect(saysTheSame([], [], false)).toBe(true);
  });
});
