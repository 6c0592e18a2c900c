import { INDEXED_POSTS } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { proposeForShape, toSlowShapes } from './request-log-service.js';

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
  expect(proposeForShape(INDEXED_POSTS, shape)).toBe(sql);
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
      [INDEXED_POSTS],
    ),
  ).toMatchObject([{ table: 'posts', asked: 'posts where published', requests: 3, mean_ms: 150 }]);
});
