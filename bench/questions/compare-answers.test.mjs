import { describe, expect, it } from 'vitest';
import { saysTheSame } from './compare-answers.mjs';

describe('saysTheSame', () => {
  it('takes columns in any order, and duplicates for one row', () => {
    expect(saysTheSame([['a', '1'], ['b', '2']], [['2', 'b'], ['1', 'a'], ['1', 'a']], false)).toBe(true);
  });

  it('keeps values of one row together', () => {
    expect(saysTheSame([['a', '1'], ['b', '2']], [['a', '2'], ['b', '1']], false)).toBe(false);
  });

  it('looks at the order of rows where it is told to', () => {
    expect(saysTheSame([['a'], ['b']], [['b'], ['a']], true)).toBe(false);
    expect(saysTheSame([['a'], ['b']], [['b'], ['a']], false)).toBe(true);
  });

  it('misses nothing that is more or less', () => {
    expect(saysTheSame([['a']], [['a', 'b']], false)).toBe(false);
    expect(saysTheSame([['a']], [], false)).toBe(false);
    expect(saysTheSame([], [], false)).toBe(true);
  });
});
