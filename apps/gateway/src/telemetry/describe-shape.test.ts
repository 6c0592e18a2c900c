import { expect, it } from 'vitest';
import { describeShape } from './telemetry.js';

it.each([
  [
    '/v1/-/posts?user_id=7&published=true&sort=-created_at&page=2',
    'where user_id, published sort created_at',
  ],
  ['/v1/-/posts?title__like=%25secret%25&created_at__gte=2026-01-01', 'where title, created_at'],
  ['/v1/-/posts?limit=10&_count=exact&include[user][limit]=1', null],
  ['/v1/-/posts?sort=a,-b', 'sort a, b'],
  ['/v1/-/posts?user_id=7&sort=a:nulls_last,b:desc', 'where user_id sort b'],
  ['/v1/-/posts', null],
])('describeShape returns for %s: %s', (url, shape) => {
  expect(describeShape(url)).toBe(shape);
});

it('describeShape returns no values', () => {
  expect(describeShape('/v1/-/users?email=ann@example.test&x%20y=1')).toBe('where email');
});
