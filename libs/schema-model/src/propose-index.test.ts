import { expect, it } from 'vitest';
import { leadingColumns, proposeIndex } from './propose-index.js';
import type { Table } from './types.js';

const column = (name: string, type = 'int'): object => ({ name, type });
const posts = {
  name: 'posts',
  kind: 'table',
  path: 'posts',
  primaryKey: ['id'],
  columns: [
    column('id'),
    column('user_id'),
    column('published'),
    column('created_at', 'timestamp'),
    column('content', 'text'),
  ],
  indexes: [
    { kind: 'btree', columns: [{ name: 'user_id' }] },
    { kind: 'btree', columns: [{ name: null }] },
    { kind: 'fulltext', columns: [{ name: 'content' }] },
  ],
} as unknown as Table;

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
  expect(proposeIndex(posts, where, sort)).toBe(sql);
});

it('proposeIndex returns null for a view', () => {
  expect(proposeIndex({ ...posts, kind: 'view' }, ['published'], [])).toBeNull();
});

it('leadingColumns returns the first columns of all B-tree indexes', () => {
  expect(leadingColumns(posts)).toEqual(['id', 'user_id']);
});
