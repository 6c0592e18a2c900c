import { describe, expect, it } from 'vitest';
import { makeListPath, makeRowPath } from './make-list-path.js';

const POSTS = { path: 'post-notes' };

describe('makeListPath', () => {
  it('makeListPath writes filters with operators, the sort and the columns', () => {
    const path = makeListPath(
      POSTS,
      {
        filters: [
          ['title', 'icontains', 'a&b'],
          ['id', 'in', '1,2'],
          ['user.name', 'eq', 'x'],
        ],
        sort: '-id',
        select: ['id', 'title', '_etag'],
      },
      [['limit', '200']],
    );
    expect(path).toBe(
      '/post-notes?title__icontains=a%26b&id__in=1,2&user.name__eq=x&sort=-id&_select=id,title,_etag&limit=200',
    );
  });

  it('makeListPath quotes unusual names', () => {
    expect(
      makeListPath(POSTS, {
        filters: [
          ['odd name', 'eq', '1'],
          ['a`b', 'ne', '2'],
          ['_x', 'eq', '3'],
        ],
        sort: '-`odd name`',
        select: ['id', 'odd name', '_etag'],
      }),
    ).toBe(
      '/post-notes?%60odd%20name%60__eq=1&%60a%60%60b%60__ne=2&_x__eq=3&sort=-%60odd%20name%60&_select=*,_etag',
    );
    expect(makeListPath(POSTS, { filters: [], sort: undefined, select: null })).toBe('/post-notes');
  });
});

describe('makeRowPath', () => {
  it('makeRowPath returns the key values in order', () => {
    expect(makeRowPath({ primaryKey: ['a', 'b'] }, { b: 'x/y', a: 3 })).toBe('3,x%2Fy');
    expect(makeRowPath({ primaryKey: ['a'] }, { a: null })).toBeNull();
    expect(makeRowPath({ primaryKey: [] }, {})).toBeNull();
  });
});
