import { describe, expect, it } from 'vitest';
import { nearestNames } from './nearest-names.js';

describe('nearestNames', () => {
  it('finds what was meant: another case, a letter too many, two letters swapped', () => {
    expect(nearestNames('Title', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('titlle', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('titel', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('post', ['posts', 'users'])).toEqual(['posts']);
  });
  it('gives the best first and no more than asked', () => {
    expect(nearestNames('user_ids', ['user_idx', 'user_id', 'user_ids_old', 'users'], 2)).toEqual([
      'user_id',
      'user_idx',
    ]);
  });
  it('is silent about what is like nothing', () => {
    expect(nearestNames('zebra', ['id', 'title', 'content'])).toEqual([]);
    expect(nearestNames('', ['id'])).toEqual([]);
  });
  it('counts swaps, additions and losses up to a third of the word, and no further', () => {
    expect(
      nearestNames(
        'abcdefghi',
        [
          'bacdefghi',
          'badcfeghi',
          'badcfehgi',
          'abcdefghijkl',
          'abcdefghijklm',
          'cdefghi',
          'xbcdxfghx',
          'xbxdxfghx',
        ],
        9,
      ),
    ).toEqual(['bacdefghi', 'cdefghi', 'abcdefghijkl', 'badcfeghi', 'xbcdxfghx']);
  });
});
