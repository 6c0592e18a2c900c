import { describe, expect, it } from 'vitest';
import { checkModelSql } from './check-model-sql.js';
import { describeSql } from './describe-sql.js';
import { writeRepair } from './build-model-prompt.js';

const SCHEMA = {
  tables: [
    { name: 'users', columns: ['id', 'username', 'email'] },
    { name: 'posts', columns: ['id', 'title', 'user_id', 'created_at'] },
  ],
};
const messages = (sql: string): string[] => checkModelSql(sql, SCHEMA).map((fault) => fault.message);

describe('checkModelSql', () => {
  it.each([
    'SELECT COUNT(*) FROM posts',
    'SELECT u.username, COUNT(p.id) AS n FROM users u LEFT JOIN posts AS p ON p.user_id = u.id GROUP BY u.id, u.username HAVING n > 1 ORDER BY n DESC',
    'WITH t AS (SELECT user_id AS who, COUNT(*) AS n FROM posts GROUP BY user_id) SELECT t.who, t.n FROM t',
    'SELECT x.n FROM (SELECT COUNT(*) AS n FROM posts) x',
    'SELECT USERNAME FROM users WHERE EMAIL LIKE "%@x"',
    'SELECT users.id FROM users, posts WHERE posts.user_id = users.id',
    'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n',
    "SELECT j.v FROM JSON_TABLE('[1]', '$[*]' COLUMNS (v INT PATH '$')) j",
    'SELECT title, ROW_NUMBER() OVER w AS r FROM posts WINDOW w AS (PARTITION BY user_id ORDER BY id)',
    "SELECT DATE_FORMAT(created_at, '%Y') AS year, COUNT(*) FROM posts GROUP BY year",
    'SELECT EXTRACT(YEAR FROM created_at) FROM posts',
    'this is no SQL at all (',
  ])('checkModelSql accepts %s', (sql) => {
    expect(messages(sql)).toEqual([]);
  });

  it('checkModelSql suggests names for a limited number of unknown names', () => {
    const names = Array.from({ length: 300 }, (_, position) => `n${position}`);
    expect(messages(`SELECT ${names.join(',')} FROM users`)).toHaveLength(20);
    expect(messages(`SELECT 1 FROM ${names.join(',')}`)).toHaveLength(20);
  });

  it.each([
    ['SELECT * FROM post', ['Unknown table post.']],
    ['SELECT usrname FROM users', ['Unknown column usrname in the tables of this query.']],
    ['SELECT u.usrname FROM users u', ['Unknown column usrname in users.']],
    [
      'SELECT p.username FROM users u JOIN posts p ON p.user_id = u.id',
      ['Unknown column username in posts.'],
    ],
    [
      'SELECT u.username FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.author = u.id)',
      ['Unknown column author in posts.'],
    ],
    [
      'SELECT "username" FROM users',
      [
        '"username" in double quotes is a text, not a name. Use backquotes for a name and single quotes for a text.',
      ],
    ],
    ["SELECT username || '!' FROM users", ['|| is a logical OR. Join texts with CONCAT(), or write OR.']],
    ["SELECT 'x' + username FROM users", ['+ only adds numbers. Join texts with CONCAT().']],
    [
      'SELECT u.id FROM users u FULL JOIN posts p ON p.user_id = u.id',
      ['FULL JOIN is not supported. Use LEFT JOIN, UNION and RIGHT JOIN.'],
    ],
  ] as const)('checkModelSql reports the fault: %s', (sql, expected) => {
    expect(messages(sql)).toEqual(expected);
  });

  it('checkModelSql suggests similar names with a fault', () => {
    expect(checkModelSql('SELECT usernam FROM users', SCHEMA)).toMatchObject([
      { kind: 'column', similarNames: ['username'] },
    ]);
    expect(checkModelSql('SELECT id FROM user', SCHEMA)).toMatchObject([
      { kind: 'table', similarNames: ['users'] },
    ]);
  });
});

it('describeSql returns the same description for the same statement', () => {
  expect(
    describeSql(
      'SELECT user_id, COUNT(*) AS n FROM posts WHERE id > 3 GROUP BY user_id ORDER BY n LIMIT 5',
      SCHEMA,
    ),
  ).toBe('Reads posts; filters rows; groups them; computes over them; sorts; takes at most 5.');
  expect(describeSql('SELECT 1', SCHEMA)).toBe('Reads no table.');
  expect(describeSql('no SQL (', SCHEMA)).toBe('');
});

it('the prompt that asks a model for a correction contains few, short faults', () => {
  const [answer, repair] = writeRepair(
    'x'.repeat(20_000),
    Array.from({ length: 9 }, (_, index) => ({
      message: `fault ${index} </schema>`,
      similarNames: ['a', 'b'],
    })),
  );
  expect(answer).toMatchObject({ role: 'assistant' });
  expect(answer?.content).toHaveLength(8_000);
  expect(repair?.content).toContain('fault 5');
  expect(repair?.content).not.toContain('fault 6');
  expect(repair?.content).not.toContain('</schema>');
  expect(repair?.content).toContain('Near it: a, b.');
});
