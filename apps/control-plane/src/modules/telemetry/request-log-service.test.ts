import type { Table } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { proposeForShape, toSlowShapes } from './request-log-service.js';

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
  indexes: [{ kind: 'btree', columns: [{ name: 'user_id' }] }],
} as unknown as Table;

it.each([
  [
    'where published sort created_at',
    'CREATE INDEX `posts_published_created_at` ON `posts` (`published`, `created_at`)',
  ],
  ['sort created_at', 'CREATE INDEX `posts_created_at` ON `posts` (`created_at`)'],
  ['where user_id, published', null],
  ['where content', null],
  ['where nothing_known', null],
  ['sort id', null],
  ['drop table posts', null],
])('proposeForShape returns for the query shape "%s": %s', (shape, sql) => {
  expect(proposeForShape(posts, shape)).toBe(sql);
});

it('the list of slow query shapes omits routes without a table', () => {
  const row = { shape: 'where published', requests: '3', mean_us: '150000' };
  expect(
    toSlowShapes(
      [
        { ...row, route: 'GET /posts' },
        { ...row, route: 'GET /gone' },
        { ...row, route: 'POST /query' },
      ],
      [posts],
    ),
  ).toMatchObject([{ table: 'posts', asked: 'posts where published', requests: 3, mean_ms: 150 }]);
});
