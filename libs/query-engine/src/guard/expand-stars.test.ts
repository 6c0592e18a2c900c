import { describe, expect, it } from 'vitest';
import { guardQuery } from './guard-query.js';
import type { GuardedRead } from '../types.js';

const OPTIONS = {
  tables: ['users', 'posts', 'odd'],
  hiddenNames: ['vault'],
  schemaName: 'p1',
  partial: new Map([
    ['users', ['id', 'name']],
    ['odd', ['a`b']],
  ]),
};

const read = (sql: string): GuardedRead =>
  guardQuery(sql, {
    ...OPTIONS,
    writes: { writable: ['users'], deletable: ['users'], hasReturning: true },
  }) as GuardedRead;

describe('expandStars with hidden columns', () => {
  it.each([
    ['SELECT * FROM users', 'SELECT users.`id`, users.`name` FROM users'],
    ['SELECT DISTINCT * FROM users u LIMIT 1', 'SELECT DISTINCT u.`id`, u.`name` FROM users u LIMIT 1'],
    ['SELECT u.*, 1 FROM p1.users AS u', 'SELECT u.`id`, u.`name`, 1 FROM p1.users AS u'],
    ['SELECT p1.users.* FROM p1.users', 'SELECT p1.users.`id`, users.`name` FROM p1.users'],
    [
      'SELECT posts.*, users.* FROM users, posts',
      'SELECT posts.*, users.`id`, users.`name` FROM users, posts',
    ],
    [
      'SELECT * FROM users `U x` JOIN posts p ON p.user_id = `U x`.id',
      'SELECT `U x`.`id`, `U x`.`name`, p.* FROM users `U x` JOIN posts p ON p.user_id = `U x`.id',
    ],
    ['SELECT * FROM odd', 'SELECT odd.`a``b` FROM odd'],
    [
      'SELECT * FROM (posts, users) LEFT JOIN (SELECT * FROM users) d ON 1 = 1',
      'SELECT posts.*, users.`id`, users.`name`, d.* FROM (posts, users) LEFT JOIN (SELECT users.`id`, users.`name` FROM users) d ON 1 = 1',
    ],
    [
      'WITH a AS (SELECT * FROM users) SELECT * FROM a, users',
      'WITH a AS (SELECT users.`id`, users.`name` FROM users) SELECT a.*, users.`id`, users.`name` FROM a, users',
    ],
    [
      'SELECT id FROM posts p WHERE EXISTS (SELECT * FROM users WHERE id = p.user_id)',
      'SELECT id FROM posts p WHERE EXISTS (SELECT users.`id`, users.`name` FROM users WHERE id = p.user_id)',
    ],
    [
      '(SELECT * FROM users) UNION SELECT * FROM users x',
      '(SELECT users.`id`, users.`name` FROM users) UNION SELECT x.`id`, x.`name` FROM users x',
    ],
    ['SELECT u.* FROM users u NATURAL JOIN posts', 'SELECT u.`id`, u.`name` FROM users u NATURAL JOIN posts'],
    [
      'INSERT INTO users (id, name) SELECT * FROM users',
      'INSERT INTO users (id, name) SELECT users.`id`, users.`name` FROM users',
    ],
    [
      'DELETE FROM users WHERE id = 1 RETURNING *',
      'DELETE FROM users WHERE id = 1 RETURNING `users`.`id`, `users`.`name`',
    ],
    ['EXPLAIN SELECT * FROM users', 'EXPLAIN SELECT users.`id`, users.`name` FROM users'],
  ])('expandStars replaces the star by the visible columns: %s', (sql, expected) =>
    expect(read(sql).sql).toBe(expected),
  );

  it.each([
    'SELECT * FROM posts',
    'SELECT COUNT(*), 2 * id FROM users GROUP BY id',
    'WITH users AS (SELECT 1 AS a) SELECT * FROM users',
    'SELECT id * 2, (id) * 3 FROM users',
    'SELECT p.* FROM posts p, users',
  ])('expandStars leaves the SQL text unchanged: %s', (sql) => {
    expect(read(sql).sql).toBe(sql);
  });

  it('expandStars uses the table and column names that are sent to the server', () => {
    expect(read('SELECT vault.*, x.* FROM users vault, posts x').runSql).toBe(
      'SELECT `given0`.`id`, `given0`.`name`, x.* FROM users `given0`, posts x',
    );
    expect(read('SELECT * FROM users vault').runSql).toBe(
      'SELECT `given0`.`id`, `given0`.`name` FROM users `given0`',
    );
  });

  it.each([
    'SELECT * FROM users NATURAL JOIN posts',
    'SELECT * FROM users JOIN posts USING (id)',
    'TABLE users',
    '(TABLE users)',
  ])('expandStars rejects a star that no column list can replace: %s', (sql) => {
    expect(() => guardQuery(sql.startsWith('TABLE') ? `(${sql})` : sql, OPTIONS)).toThrow(
      expect.objectContaining({ code: 'query.not_allowed' }) as Error,
    );
  });

  it('expandStars rejects an expansion above its size limit', () => {
    const times = (count: number, word: string): string =>
      Array.from({ length: count }, () => word).join(', ');
    expect(() => read(`SELECT ${times(900, '*')} FROM ${times(900, 'users')}`)).toThrow(
      expect.objectContaining({ code: 'query.not_allowed' }) as Error,
    );
    expect(read(`SELECT ${times(60, '*')} FROM ${times(60, 'users')}`).sql.length).toBeGreaterThan(
      60 * 60 * 20,
    );
  });
});
