import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, rejection } from '../../../test/blog.js';

const sendRequest = (text: string): string => `where=${encodeURIComponent(text)}`;

function whereOf(text: string, table = 'types'): string {
  const { sql, params } = firstStatement(`GET /${table}?_select=id&${sendRequest(text)}`);
  return `${/ WHERE (.*) ORDER BY/.exec(sql)?.[1] ?? ''} ${JSON.stringify(params.slice(0, -1))}`;
}

describe('where', () => {
  it.each([
    ['tiny = 5', '`tiny` = ? ["5"]'],
    ["name='it''s'", '`name` = ? ["it\'s"]'],
    ['name = "a"', '`name` = ? ["a"]'],
    ['`limit` >= -3', '`limit` >= ? ["-3"]'],
    ['tiny=1 AND tiny<>2 and tiny != 3', '(`tiny` = ? AND `tiny` <> ? AND `tiny` <> ?) ["1","2","3"]'],
    ['tiny=1 OR tiny=2 AND tiny=3', '(`tiny` = ? OR (`tiny` = ? AND `tiny` = ?)) ["1","2","3"]'],
    ['(tiny=1 OR tiny=2) AND NOT tiny=3', '((`tiny` = ? OR `tiny` = ?) AND NOT (`tiny` = ?)) ["1","2","3"]'],
    ['NOT (tiny=1 AND flag = true)', 'NOT ((`tiny` = ? AND `flag` <> 0)) ["1"]'],
    ["name IN ('a','b') AND tiny NOT IN (1)", '(`name` IN (?, ?) AND `tiny` NOT IN (?)) ["a","b","1"]'],
    ["name LIKE 'a%' OR name NOT LIKE 'b_'", '(`name` LIKE ? OR `name` NOT LIKE ?) ["a%","b_"]'],
    [
      'tiny BETWEEN 1 AND 9 AND tiny NOT BETWEEN 3 AND 4',
      '(`tiny` BETWEEN ? AND ? AND `tiny` NOT BETWEEN ? AND ?) ["1","9","3","4"]',
    ],
    ['name IS NULL OR name is not null', '(`name` IS NULL OR `name` IS NOT NULL) []'],
    ['at <= NOW()', '`at` <= UTC_TIMESTAMP(6) []'],
    ['tiny.gte.5', '`tiny` >= ? ["5"]'],
    ['tiny.in.(1,2) and name.is.null', '(`tiny` IN (?, ?) AND `name` IS NULL) ["1","2"]'],
    ['(name.eq."a b" OR tiny.neq.5)', '(`name` = ? OR `tiny` <> ?) ["a b","5"]'],
  ])('the `where` condition has the expected SQL: %s', (text, expected) => {
    expect(whereOf(text)).toBe(expected);
  });

  it('a `where` condition requires the right to read the tables of its paths', () => {
    expect(whereOf("user.username LIKE 'a%' AND comments.id = 1", 'posts')).toBe(
      '(EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = `posts`.`user_id` AND e1.`username` LIKE ?) AND EXISTS (SELECT 1 FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND e1.`id` = ?)) ["a%","1"]',
    );
    expect(plan(`GET /posts?${sendRequest('user.id.eq.5')}`).touches).toContainEqual({
      table: 'users',
      verb: 'read',
    });
    const rights = { ...ALL, tables: { posts: ['read'], users: ['write'] } } as const;
    expect(rejection(`GET /posts?${sendRequest('NOT user.id = 5')}`, { rights })).toContain('403 auth.scope');
    expect(
      plan(`GET /posts?include=comments&include[comments][${sendRequest('id > 5').replace('=', ']=')}`),
    ).toMatchObject({ include: [{ where: [{ kind: 'compare' }] }] });
  });

  it.each([
    '',
    '1',
    '1=1',
    "' OR 1=1 --",
    'tiny',
    'tiny =',
    'tiny = 1 2',
    'tiny = tiny',
    'tiny = 1;',
    'tiny = (SELECT 1)',
    'tiny = SLEEP(5)',
    'tiny = 1 -- x',
    'tiny = 1 /* x */',
    'tiny = 0x1',
    'nope = 1',
    'tiny = NULL',
    "tiny = 'x'",
    'name = NOW()',
    '(tiny = 1',
    'tiny = 1)',
    'tiny = 1 AND',
    'AND tiny = 1',
    'tiny = 1 XOR tiny = 2',
    'tiny IN ()',
    'tiny IN (1',
    'tiny BETWEEN 1',
    'name LIKE 5 6',
    'name IS 5',
    "name = 'a",
    'NOT',
    'tiny..eq.5',
    `${'('.repeat(5000)}tiny=1`,
    'tiny.eq.x',
    Array.from({ length: 201 }, () => 'tiny=1').join(' OR '),
  ])('the `where` condition is rejected with its location: %s', (text) => {
    expect(rejection(`GET /types?${sendRequest(text)}`)).toContain('422 params.invalid');
  });
});
