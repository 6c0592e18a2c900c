import { expect, it } from 'vitest';
import { leadingColumns, proposeIndex } from './propose-index.js';
import { INDEXED_POSTS } from './testing/indexed-posts.js';

it.each([
  [
    ['published'],
    ['created_at'],
    'CREATE INDEX `posts_published_created_at` ON `posts` (`published`, `created_at`)',
  ],
  [[], ['created_at'], 'CREATE INDEX `posts_created_at` ON `posts` (`created_at`)'],
  [['user_id', 'published'], [], null],
  [['content'], [], null],
  [['nothing_known'], [], null],
  [[], ['id'], null],
])('proposeIndex for filters on %s and sort by %s returns %s', (where, sort, sql) => {
  expect(proposeIndex(INDEXED_POSTS, where, sort)).toBe(sql);
});

it('proposeIndex returns null for a view', () => {
  expect(proposeIndex({ ...INDEXED_POSTS, kind: 'view' }, ['published'], [])).toBeNull();
});

it('leadingColumns returns the first columns of all B-tree indexes', () => {
  expect(leadingColumns(INDEXED_POSTS)).toEqual(['id', 'user_id']);
});
