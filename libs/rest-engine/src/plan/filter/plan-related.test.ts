import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, program, rejection } from '../../../test/blog.js';

function whereOf(query: string, table = 'posts'): string {
  const { sql, params } = firstStatement(`GET /${table}?_select=id&${query}`);
  const where = / WHERE (.*) ORDER BY/.exec(sql)?.[1] ?? '';
  return `${where} ${JSON.stringify(params.slice(0, -1))}`;
}

const tree = (value: unknown): string => `_filter=${encodeURIComponent(JSON.stringify(value))}`;

describe('filters over relationships', () => {
  it.each([
    [
      'user.username__like=a%25',
      'EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND e1.`username` LIKE ?) ["a%"]',
    ],
    [
      'comments.user.id=5',
      'EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND EXISTS (SELECT 1 FROM `users` AS e2 WHERE e2.`id` = e1.`user_id` AND e2.`id` = ?)) ["5"]',
    ],
    [
      'tags.name=x',
      'EXISTS (SELECT 1 FROM `post_tags` AS l1 JOIN `tags` AS e1 ON e1.`id` = l1.`tag_id` WHERE l1.`post_id` = `posts`.`id` AND e1.`name` = ?) ["x"]',
    ],
    [
      'comments__exists=false',
      'NOT EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id`) []',
    ],
    [
      'user.posts__exists=1',
      'EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND EXISTS (SELECT 1 FROM `posts` AS e2 WHERE e2.`user_id` = e1.`id`)) []',
    ],
  ])('the filter on related records has the expected SQL: %s', (query, expected) => {
    expect(whereOf(query)).toBe(expected);
  });

  it('filters on related records also apply to the count of the list', () => {
    const [records, count] = program('GET /posts?user.username=a&sort=user.email&_count=exact').first
      .statements;
    expect(records?.sql).toContain(
      'WHERE EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = t.`user_id` AND',
    );
    expect(count?.sql).toBe(
      'SELECT COUNT(*) FROM `posts` WHERE EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND e1.`username` = ?)',
    );
  });

  it('filters on related records require the right to read every table of the path', () => {
    expect(plan('GET /users?posts.tags.name=x').touches).toEqual([
      { table: 'users', verb: 'read' },
      { table: 'posts', verb: 'read' },
      { table: 'tags', verb: 'read' },
      { table: 'post_tags', verb: 'read' },
    ]);
    expect(
      plan(`GET /users?${tree({ not: { posts: { none: { comments: { count__gte: 2 } } } } })}`).touches.map(
        (touch) => touch.table,
      ),
    ).toEqual(['users', 'posts', 'comments']);
    const rights = { ...ALL, tables: { posts: ['read'], users: ['write'] } } as const;
    for (const query of [
      'user.username=x',
      'user__exists=true',
      tree({ user: { username: 'x' } }),
      tree({ or: [{ id: 1 }, { user: { count: 0 } }] }),
    ]) {
      expect(rejection(`GET /posts?${query}`, { rights })).toBe(
        '403 auth.scope The key does not have the scope "read" on users.',
      );
    }
    expect(
      rejection('GET /users?email=x&posts.user.email=x', {
        rights: { ...ALL, hiddenColumns: { users: ['email'] } },
      }),
    ).toContain('422');
  });

  it.each([
    'nope.id=1',
    'user.nope=1',
    'user=1',
    'title.x=1',
    'title__exists=true',
    'user__exists=maybe',
    'user.posts.user.posts.user.posts.id=1',
    'user.username->a=1',
    `${Array.from({ length: 11 }, (_, index) => `user.id__gt=${index}`).join('&')}`,
  ])('the filter on related records is rejected: %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });
});

describe('_filter', () => {
  it.each<[unknown, string]>([
    [{}, ' []'],
    [{ title: 'x', id__gt: 5 }, '(`title` = ? AND `id` > ?) ["x","5"]'],
    [
      { or: [{ id__lt: 18 }, { comments: { count__gte: 3 } }] },
      '(`id` < ? OR (SELECT COUNT(*) FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id`) >= CAST(? AS UNSIGNED)) ["18","3"]',
    ],
    [{ and: [{ title: 'x' }, { not: { id: 1 } }] }, '(`title` = ? AND NOT (`id` = ?)) ["x","1"]'],
    [
      { comments: { some: { content: 'a', user_id: 1 } } },
      'EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND (e1.`content` = ? AND e1.`user_id` = ?)) ["a","1"]',
    ],
    [
      { comments: { content: 'a' } },
      'EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND e1.`content` = ?) ["a"]',
    ],
    [
      { comments: { none: {} } },
      'NOT EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id`) []',
    ],
    [
      { comments: { every: { content: 'a' } } },
      'NOT EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND (e1.`content` = ?) IS NOT TRUE) ["a"]',
    ],
    [
      { comments: { user_id: 1, count__lt: 2 } },
      '(SELECT COUNT(*) FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND e1.`user_id` = ?) < CAST(? AS UNSIGNED) ["1","2"]',
    ],
    [
      { 'user.username__in': ['a', 'b'] },
      'EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND e1.`username` IN (?, ?)) ["a","b"]',
    ],
    [
      { 'user.bio': null },
      'EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND e1.`bio` IS NULL) []',
    ],
    [
      { published: true, created_at__year: 2026, comments__exists: false },
      '(`published` <> 0 AND YEAR(`created_at`) = ? AND NOT EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id`)) ["2026"]',
    ],
  ])('_filter creates the expected SQL for the tree %j', (value, expected) => {
    expect(whereOf(tree(value))).toBe(expected);
  });

  it('a filter tree supports null, sets and columns named like parameters', () => {
    expect(whereOf(tree({ name: null, tiny__ne: null }), 'types')).toBe(
      '(`name` IS NULL AND `tiny` IS NOT NULL) []',
    );
    expect(whereOf(tree({ limit: 5, marks: ['c', 'a'] }), 'types')).toBe(
      '(`limit` = ? AND `marks` = ?) ["5","a,c"]',
    );
  });

  it.each<unknown>([
    [],
    5,
    { or: [] },
    { or: {} },
    { or: [{}] },
    { not: {} },
    { not: [] },
    { title: 5 },
    { title: true },
    { title: { eq: 'x' } },
    { title: ['x'] },
    { title__in: [] },
    { title__in: ['a', null] },
    { id: 'x' },
    { id__gt: null },
    { nope: 1 },
    { _q: 'x' },
    { comments: { count: -1 } },
    { comments: { count__gte: 1.5 } },
    { comments: { some: [] } },
    { comments: { nope: 1 } },
    { comments__exists: 'x' },
  ])('_filter rejects the invalid tree %j', (value) => {
    expect(rejection(`GET /posts?${tree(value)}`)).toContain('422 params.invalid ["query","_filter"');
  });

  it('_filter rejects invalid JSON and a tree that is too deep', () => {
    let deep: unknown = { id: 1 };
    for (let level = 0; level < 31; level += 1) deep = { not: deep };
    expect(rejection(`GET /posts?${tree(deep)}`)).toBe('accepted');
    expect(rejection(`GET /posts?${tree({ not: deep })}`)).toContain('too_deep');
    expect(rejection(`GET /posts?_filter=${'%5B'.repeat(5000)}`)).toContain('json_parsing');
    expect(rejection('GET /posts?_filter=%7Bx')).toContain('["query","_filter"] json_parsing');
    expect(
      rejection(`GET /posts?${tree({ and: Array.from({ length: 201 }, () => ({ id: 1 })) })}`),
    ).toContain('["query"] too_many');
    expect(
      rejection(
        `GET /posts?${tree({ and: Array.from({ length: 11 }, () => ({ comments: { some: {} } })) })}`,
      ),
    ).toContain('["query"] too_many');
    expect(
      rejection(
        `GET /posts?${tree({ and: Array.from({ length: 10 }, () => ({ comments: { some: {} } })) })}`,
      ),
    ).toBe('accepted');
  });
});
