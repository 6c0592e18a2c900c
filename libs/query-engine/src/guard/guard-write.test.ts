import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { guardQuery } from './guard-query.js';
import type { GuardedQuery, WriteRights } from '../types.js';

const RIGHTS: WriteRights = {
  writable: ['posts', 'tags', 'drops'],
  deletable: ['posts'],
  hasReturning: true,
};

function guard(sql: string, writes: WriteRights | 'forbidden' = RIGHTS): GuardedQuery {
  return guardQuery(sql, {
    tables: ['users', 'posts', 'tags'],
    hiddenNames: ['drops', 'secrets'],
    schemaName: 'pabc',
    writes,
  });
}

function rejection(sql: string, writes: WriteRights | 'forbidden' = RIGHTS): string {
  try {
    return `accepted: ${guard(sql, writes).kind}`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('the guard for writes', () => {
  it.each([
    ["INSERT INTO posts (title, user_id) VALUES ('a', 1), (?, DEFAULT)".replace('?', "'b'"), 'insert'],
    ["INSERT posts SET title = 'a', user_id = (SELECT MAX(id) FROM users)", 'insert'],
    ['INSERT IGNORE INTO pabc.posts VALUES (1, 2), ()', 'insert'],
    ['INSERT INTO posts (title) SELECT username FROM users WHERE id > 1', 'insert'],
    ['INSERT INTO posts (title) (SELECT username FROM users)', 'insert'],
    ['INSERT INTO posts (title) WITH a AS (SELECT 1 AS n) SELECT n FROM a', 'insert'],
    [
      "INSERT INTO posts (id, title) VALUES (1, 'a') ON DUPLICATE KEY UPDATE title = VALUES(title), user_id = user_id + 1",
      'insert',
    ],
    [
      "INSERT INTO posts (id, title) VALUES (1, 'a') AS new ON DUPLICATE KEY UPDATE title = new.title",
      'insert',
    ],
    [
      "INSERT INTO posts (id, title) SELECT id, username FROM users u JOIN tags t ON t.id = u.id ON DUPLICATE KEY UPDATE title = 'x'",
      'insert',
    ],
    ["INSERT INTO posts (title) VALUES ('a') RETURNING id, title AS t", 'insert'],
    ['INSERT INTO posts (title) SELECT name FROM tags RETURNING *', 'insert'],
    ["INSERT INTO drops (a) VALUES (CONVERT('x', CHAR CHARACTER SET utf8mb4))", 'insert'],
    ["UPDATE posts SET title = 'x', user_id = user_id + 1 WHERE id = 1", 'update'],
    [
      'UPDATE IGNORE posts p SET p.title = UPPER(p.title) WHERE p.id IN (SELECT id FROM users) ORDER BY p.id LIMIT 5',
      'update',
    ],
    ["UPDATE posts p JOIN tags t ON t.id = p.id SET p.title = t.name, t.name = 'x' WHERE t.id = 2", 'update'],
    [
      "UPDATE posts SET title = CONVERT(title USING utf8mb4) WHERE title = 'a' AND id BETWEEN 1 AND 3",
      'update',
    ],
    ['DELETE FROM posts WHERE id = 1', 'delete'],
    ['DELETE FROM posts WHERE id IN (SELECT id FROM users) ORDER BY id LIMIT 3', 'delete'],
    ['DELETE p FROM posts p JOIN posts q ON q.id = p.user_id WHERE q.id = 1', 'delete'],
    ['DELETE FROM p USING posts AS p WHERE p.id = 1', 'delete'],
    ['DELETE FROM posts WHERE id = 1 RETURNING id', 'delete'],
  ])('guardWrite accepts %s', (sql, kind) => {
    expect(guard(sql)).toMatchObject({ kind, runSql: sql });
  });

  it.each([
    'UPDATE posts SET title = 1',
    'DELETE FROM posts',
    'DELETE FROM posts LIMIT 1',
    'UPDATE users SET id = 1 WHERE id = 1',
    'DELETE FROM tags WHERE id = 1',
    'INSERT INTO users VALUES (1)',
    'UPDATE posts p JOIN users u ON u.id = p.id SET u.id = 1 WHERE 1',
    'DELETE p FROM posts p JOIN users u ON 1 WHERE 1',
    'UPDATE posts, users SET id = 1 WHERE 1',
    'REPLACE INTO posts VALUES (1)',
    'TRUNCATE posts',
    'DROP TABLE posts',
    'ALTER TABLE posts ADD a int',
    'CREATE TABLE t (a int)',
    'SET @a = 1',
    'CALL p()',
    'LOAD DATA INFILE "x" INTO TABLE posts',
    'WITH a AS (SELECT 1) DELETE FROM posts WHERE 1',
    'EXPLAIN DELETE FROM posts WHERE id = 1',
    'INSERT INTO posts VALUES (SLEEP(1))',
    "UPDATE posts SET title = LOAD_FILE('/x') WHERE id = 1",
    'UPDATE posts SET id = @a := 1 WHERE 1',
    'INSERT INTO posts VALUES (1); DELETE FROM posts WHERE 1',
    'DELETE FROM posts WHERE id = 1 /*! OR 1 */',
    'INSERT INTO mysql.user VALUES (1)',
    'UPDATE other.posts SET a = 1 WHERE 1',
    'INSERT INTO posts SELECT 1 INTO OUTFILE "x"',
    'DELETE FROM posts WHERE id = (SELECT 1 FOR UPDATE)',
    'INSERT INTO posts (id) SELECT id FROM users FOR UPDATE',
    'UPDATE posts SET a = 1 WHERE 1 SET b = 2',
    'INSERT INTO posts VALUES (GET_LOCK("a", 1))',
    'DELETE FROM posts WHERE VERSION() = 1',
    'INSERT INTO posts VALUES (@@datadir)',
    'INSERT INTO posts VALUES (1) ON DUPLICATE KEY UPDATE id = SLEEP(1)',
  ])('guardWrite rejects %s', (sql) => {
    expect(rejection(sql)).toBe('query.not_allowed');
  });

  it.each([
    'INSERT INTO secrets VALUES (1)',
    'UPDATE secrets SET s = 1 WHERE 1',
    'DELETE FROM secrets WHERE 1',
    'INSERT INTO posts (title) SELECT s FROM secrets',
    'UPDATE posts SET title = (SELECT s FROM secrets) WHERE id = 1',
    'DELETE FROM posts WHERE id IN (SELECT id FROM secrets)',
    'UPDATE posts SET title = secrets.s WHERE 1',
    'DELETE s FROM posts p WHERE 1',
    'INSERT INTO posts (title) SELECT a FROM drops',
    'UPDATE nowhere SET a = 1 WHERE 1',
    'INSERT INTO posts VALUES (1) RETURNING (SELECT s FROM secrets)',
  ])('guardWrite reports an unknown table for %s', (sql) => {
    expect(rejection(sql)).toBe('query.unknown_table');
  });

  it.each([
    'INSERT',
    'INSERT INTO',
    'INSERT INTO posts',
    'UPDATE posts',
    'UPDATE posts SET',
    'UPDATE posts SET title WHERE 1',
    'DELETE posts WHERE id = 1',
    'INSERT INTO posts (1) VALUES (1)',
    'UPDATE posts SET 1 = 1 WHERE 1',
    'UPDATE posts SET title = 1 WHERE id = 1 RETURNING id',
    'INSERT INTO posts VALUES (1) ON CONFLICT DO NOTHING',
    "INSERT INTO posts VALUES ('a'",
  ])('guardWrite reports a syntax error for %s', (sql) => {
    expect(rejection(sql)).toBe('query.invalid_sql');
  });

  it('guardWrite names the missing scope of a key that must not write', () => {
    for (const sql of [
      'INSERT INTO posts VALUES (1)',
      'UPDATE posts SET title = 1 WHERE id = 1',
      'DELETE FROM posts WHERE id = 1',
    ]) {
      expect(() => guard(sql, 'forbidden')).toThrow(
        expect.objectContaining({
          code: 'query.not_allowed',
          detail: expect.stringContaining('requires a key with the scope query:write') as unknown,
        }) as Error,
      );
    }
  });

  it('guardWrite rejects RETURNING on a server without it, and writes without query:write', () => {
    for (const sql of [
      'INSERT INTO posts VALUES (1)',
      'UPDATE posts SET title = 1 WHERE id = 1',
      'DELETE FROM posts WHERE id = 1',
    ])
      expect(rejection(sql, 'forbidden'), sql).toBe('query.not_allowed');
    expect(rejection('DELETE FROM posts WHERE id = 1 RETURNING id', { ...RIGHTS, hasReturning: false })).toBe(
      'query.invalid_sql',
    );
    expect(guard('SELECT id FROM posts').kind).toBe('select');
  });

  it('guardWrite returns the bound parameters, the written tables and the read tables', () => {
    const guarded = guardQuery(
      'UPDATE posts SET title = :t WHERE id IN (SELECT id FROM users WHERE username = :u)',
      {
        tables: ['users', 'posts'],
        hiddenNames: [],
        schemaName: 'pabc',
        params: { t: 'x', u: 'y' },
        writes: RIGHTS,
      },
    );
    expect(guarded).toMatchObject({
      kind: 'update',
      targets: ['posts'],
      tables: ['posts', 'users'],
      params: ['x', 'y'],
      hasRows: false,
    });
  });
});
