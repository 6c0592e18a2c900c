import { describe, expect, it } from 'vitest';
import { VALID_READS } from '../../test/valid-reads.js';
import { normaliseQuery } from './normalise-query.js';
import { routeQuery } from './route-query.js';
import type { RouteSchema } from '../types.js';

const SCHEMA: RouteSchema = {
  tables: [
    { name: 'users', columns: ['id', 'username', 'email', 'bio', 'created_at'] },
    { name: 'posts', columns: ['id', 'title', 'content', 'user_id', 'published', 'created_at'] },
    { name: 'comments', columns: ['id', 'content', 'user_id', 'post_id', 'created_at'] },
    { name: 'tags', columns: ['id', 'name', 'description'] },
    { name: 'post_tags', columns: ['post_id', 'tag_id'] },
    { name: 'products', columns: ['id', 'name', 'price', 'category', 'attributes'] },
    {
      name: 'orders',
      columns: ['id', 'user_id', 'total', 'status', 'placed_at', 'meta', 'offset', 'window'],
    },
    { name: 'order_items', columns: ['order_id', 'product_id', 'quantity', 'unit_price'] },
    {
      name: 'employees',
      columns: ['id', 'manager_id', 'name', 'salary', 'department', 'hired_on', 'shift_start'],
    },
    { name: 'order', columns: ['id', 'from', 'group'] },
    { name: '2fa_codes', columns: ['id', 'code'] },
    { name: 'people', columns: ['id', 'their', 'name'] },
  ],
};

describe('routeQuery', () => {
  it.each(VALID_READS)('routeQuery classifies $sql as SQL', ({ sql }) => {
    expect(routeQuery(sql.replaceAll('{schema}', 'pabc'), SCHEMA).kind).toBe('sql');
  });

  it.each([
    'select nmae from users',
    'select nmae from people',
    'select nmae, their from people where id = 1',
    'SELECT username FROM user',
    'SELECT * FROM nothing',
    'select username, email from customers',
    'SELECT SLEEP(1)',
    'SELECT sleep (1)',
    'SELECT @@version',
    'SELECT 1; DROP TABLE users',
    'SELECT 1 /*! UNION SELECT 2 */',
    'SELECT * FROM users FOR UPDATE',
    "SELECT * INTO OUTFILE '/tmp/x' FROM users",
    'WITH a AS (SELECT * FROM nothing) SELECT * FROM a',
    'SELECT id FROM users WHERE id IN (SELECT id FROM nothing)',
    'DELETE FROM users',
    'delete from users where id = 1',
    "UPDATE users SET username = 'x'",
    "INSERT INTO users (username) VALUES ('x')",
    'DROP TABLE users',
    'TRUNCATE users',
    'SET sql_mode = ""',
    'SHOW TABLES',
    "show tables like 'p%'",
    'SHOW GRANTS',
    'SHOW COLUMNS FROM users',
    'DESCRIBE users',
    'desc users email',
    'EXPLAIN SELECT * FROM users',
    'EXPLAIN DELETE FROM users',
    '-- all of them\nselect * from users',
    '/* all */ (select id from users)',
    '(TABLE users)',
    '((TABLE users) UNION (TABLE posts)) LIMIT 1',
    'select id from users union select id from userz',
    'SELECT id FROM userz UNION ALL SELECT id FROM users',
    'SELECT 1 UNION SELECT a FROM nowhere',
    'select username from userz order by username',
    'select distinct username from userz limit 5',
    "select username from userz where username like 'a%'",
    'select username from userz where bio is null',
  ])('routeQuery classifies %s as SQL', (text) => {
    expect(routeQuery(text, SCHEMA).kind).toBe('sql');
  });

  it.each([
    'SELECT SLEEP(1)',
    '(SELECT SLEEP(1))',
    'SELECT nope FROM users',
    'SELECT * FROM mysql.user',
    'SELECT id FROM users UNION SELECT id FROM userz',
    'SELECT * FROM users FOR UPDATE',
    'SELECT 1; SELECT 2',
    'SELECT (1',
    'SELECT * FROM users ORDER name',
    'select users',
    'select the names from users',
    'with which products did we earn most?',
  ])('routeQuery classifies a text after EXPLAIN like the text alone: %s', (text) => {
    const { kind } = routeQuery(text, SCHEMA);
    for (const verb of ['EXPLAIN', 'explain', 'EXPLAIN FORMAT=JSON', 'EXPLAIN EXTENDED', 'DESCRIBE', 'DESC'])
      expect(routeQuery(`${verb} ${text}`, SCHEMA).kind, verb).toBe(kind);
  });

  it.each([
    'select users',
    'select all users',
    'select all users who posted in March',
    'select the names from users',
    'select a user from users at random',
    'select name from city where name is bob',
    'select order from the union of both',
    'select everything from accounting',
    'Select the top 5 products by price',
    "select every user's posts",
    'describe our revenue',
    'describe the users',
    'explain why sales fell',
    'show me all users',
    'show tables with more than 10 rows',
    'show status of orders',
    'with which products did we earn most?',
    'values above 100 in orders',
    'delete old users',
    'delete the posts from last year',
    'update the email of user 3',
    'insert a new tag',
    "insert into Bob's list a new post",
    "delete from the users' posts",
    "update the customer's address",
    "replace the author's name in posts",
    'create a table for 3 people',
    'drop everything',
    'use the newest posts and count them',
    'set of users with posts',
    'call me when orders exceed 100',
    'count orders per status',
    'how many users (with posts) are there?',
    'list users; sort by name',
    'order the posts by date',
    'from which country come our users?',
    "what's the average total?",
    '(how many posts are published)',
    '(table for two)',
    '(table of users by month)',
    'total > 100',
    'Wie viele Beiträge gibt es?',
  ])('routeQuery classifies %s as a question', (text) => {
    expect(routeQuery(text, SCHEMA).kind).toBe('question');
  });

  it.each([
    "INSERT INTO users (username) VALUES ('O'Brien')",
    "insert into users (username, email) values ('x, 'y')",
    "INSERT users SET username = 'O'Brien'",
    "REPLACE INTO users VALUES (1, 'x)",
    "INSERT IGNORE INTO nowhere (a) VALUES ('O'Brien')",
    "UPDATE users SET username = 'O'Brien' WHERE id = 1",
    "DELETE FROM users WHERE username = 'O'Brien'",
    "SELECT * FROM users WHERE username = 'O'Brien'",
    "INSERT INTO users (username) SELECT 'x",
    'INSERT INTO users (`username) VALUES (1)',
    "INSERT INTO users\n(username)\nVALUES ('O'Brien')",
  ])('routeQuery classifies a statement with a stray quote as invalid SQL: %s', (text) => {
    const route = routeQuery(text, SCHEMA);
    expect(route).toMatchObject({ kind: 'invalid', error: { code: 'query.invalid_sql' } });
  });

  it.each([
    ['', 'The query is empty.'],
    [' ; ', 'The query is empty.'],
    ['SELECT (1', 'Expected ")" at the end.'],
    ["SELECT id FROM users WHERE username = 'x", 'A string is not closed.'],
    ['SELECT * FROM users WHERE', undefined],
    ['SELECT * FROM users ORDER name', 'Expected BY before "name".'],
  ])('routeQuery classifies %j as invalid SQL', (text, detail) => {
    const route = routeQuery(text, SCHEMA);
    if (detail === undefined) expect(route.kind).toBe('sql');
    else {
      expect(route).toMatchObject({
        kind: 'invalid',
        error: { code: 'query.invalid_sql', extra: { line: 1 } },
      });
      expect(route.kind === 'invalid' ? route.error.detail : '').toContain(detail);
    }
  });

  it('routeQuery never throws for any text', () => {
    for (const text of [
      '\0',
      '\ud800',
      '/*',
      '`',
      '('.repeat(20_000),
      'a'.repeat(20_000),
      '@',
      '{',
      '?',
      ':',
      '\\',
      '/*!*/',
      ';;;',
      '/**/'.repeat(4000),
      ' '.repeat(30_000),
      `a${' ;'.repeat(8000)}a`,
    ]) {
      expect(['sql', 'question', 'invalid']).toContain(routeQuery(text, SCHEMA).kind);
    }
  });
});

describe('normaliseQuery', () => {
  it.each([
    ['\ufeffSELECT 1', 'SELECT 1'],
    ['SELECT\u00a01', 'SELECT 1'],
    ["SELECT\u00a0'a\u00a0b'", "SELECT 'a\u00a0b'"],
    ['```sql\nSELECT 1\n```', 'SELECT 1'],
    ['```\nSELECT 1;\n```', 'SELECT 1'],
    ['`SELECT 1`', 'SELECT 1'],
    ['  SELECT 1 ; ; \n', 'SELECT 1'],
    ["it's\u00a0fine", "it's fine"],
  ])('normaliseQuery normalizes %j', (text, expected) => {
    expect(normaliseQuery(text)).toBe(expected);
  });
});
