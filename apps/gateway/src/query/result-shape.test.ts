import { describe, expect, it } from 'vitest';
import { makeUnique } from './result-shape.js';

describe('makeUnique', () => {
  it('makeUnique appends numbers to repeated column names', () => {
    expect(makeUnique(['id', 'id', 'id'])).toEqual(['id', 'id_2', 'id_3']);
    expect(makeUnique(['a', 'a', 'a_2'])).toEqual(['a', 'a_3', 'a_2']);
    expect(makeUnique(['a', 'a_2', 'a', 'a_2', 'a'])).toEqual(['a', 'a_2', 'a_3', 'a_2_2', 'a_4']);
    const many = makeUnique(Array.from({ length: 60_000 }, () => 'id'));
    expect([new Set(many).size, many.at(-1)]).toEqual([60_000, 'id_60000']);
    expect(makeUnique(['__proto__', '__proto__'])).toEqual(['__proto__', '__proto___2']);
  });
});
