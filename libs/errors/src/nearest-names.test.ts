import { describe, expect, it } from 'vitest';
import { nearestNames } from './nearest-names.js';

describe('nearestNames', () => {
  it('nearestNames finds names in another case, with an extra letter or with swapped letters', () => {
    expect(nearestNames('Title', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('titlle', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('titel', ['id', 'title'])).toEqual(['title']);
    expect(nearestNames('post', ['posts', 'users'])).toEqual(['posts']);
  });
  it('nearestNames returns the best names first, up to the limit', () => {
    expect(nearestNames('user_ids', ['user_idx', 'user_id', 'user_ids_old', 'users'], 2)).toEqual([
      'user_id',
      'user_idx',
    ]);
  });
  it('nearestNames returns nothing for a dissimilar name', () => {
    expect(nearestNames('zebra', ['id', 'title', 'content'])).toEqual([]);
    expect(nearestNames('', ['id'])).toEqual([]);
  });
  it('nearestNames accepts edits of up to a third of the name', () => {
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
