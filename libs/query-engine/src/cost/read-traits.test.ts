import { describe, expect, it } from 'vitest';
import { guardQuery } from '../guard/guard-query.js';
import type { GuardedRead } from '../types.js';
import { findNarrowingColumns, isPlainSelect } from './read-traits.js';

const COLUMNS = new Set(['id', 'title', 'user_id', 'created_at', 'published']);
const find = (sql: string, alias = 'posts'): ReturnType<typeof findNarrowingColumns> =>
  findNarrowingColumns(sql, alias, (column) => COLUMNS.has(column));
const guard = (sql: string, hiddenNames: readonly string[] = []): GuardedRead =>
  guardQuery(sql, { tables: ['posts', 'users'], hiddenNames, schemaName: 'p1' }) as GuardedRead;

describe('isPlainSelect', () => {
  it.each([
    'SELECT * FROM posts',
    'SELECT id, title FROM posts p JOIN users u ON u.id = p.user_id WHERE p.id > 5 ORDER BY p.id LIMIT 10',
  ])('isPlainSelect accepts %s', (sql) => {
    expect(isPlainSelect(sql)).toBe(true);
  });

  it.each([
    'SELECT COUNT(*) FROM posts',
    'SELECT DISTINCT title FROM posts',
    'SELECT title FROM posts GROUP BY title',
    'SELECT id FROM posts UNION SELECT id FROM users',
    'SELECT * FROM (SELECT * FROM posts) x',
    'WITH x AS (SELECT 1) SELECT * FROM x',
    'SELECT ROW_NUMBER() OVER (ORDER BY id) FROM posts',
    'VALUES (1)',
    'select max(id) from posts',
  ])('isPlainSelect rejects %s', (sql) => {
    expect(isPlainSelect(sql)).toBe(false);
  });
});

describe('findNarrowingColumns', () => {
  it.each([
    [
      "SELECT * FROM posts WHERE published = 1 AND created_at >= '2026-01-01' ORDER BY title LIMIT 5",
      { equal: ['published'], range: ['created_at'], sort: ['title'] },
    ],
    [
      'SELECT * FROM posts WHERE `title` IN (?, ?) AND 5 = user_id',
      { equal: ['title', 'user_id'], range: [], sort: [] },
    ],
    [
      "SELECT * FROM posts WHERE title LIKE 'a%' AND created_at BETWEEN ? AND ?",
      { equal: [], range: ['title', 'created_at'], sort: [] },
    ],
    [
      "SELECT * FROM posts WHERE title LIKE '%a' AND YEAR(created_at) = 2026 AND user_id + 1 = 5",
      { equal: [], range: [], sort: [] },
    ],
    ['SELECT * FROM posts WHERE published = 1 OR title = ?', { equal: [], range: [], sort: [] }],
    [
      'SELECT published, COUNT(*) FROM posts GROUP BY published ORDER BY COUNT(*) DESC',
      { equal: [], range: [], sort: [] },
    ],
    [
      'SELECT * FROM posts ORDER BY created_at DESC, id',
      { equal: [], range: [], sort: ['created_at', 'id'] },
    ],
    ['DELETE FROM posts WHERE published = 0', { equal: ['published'], range: [], sort: [] }],
    ['SELECT * FROM posts WHERE NOT published AND name = 1', { equal: [], range: [], sort: [] }],
  ])('findNarrowingColumns returns the columns of %s', (sql, columns) => {
    expect(find(sql)).toEqual(columns);
  });

  it('findNarrowingColumns returns the columns of one table of a join', () => {
    const sql =
      'SELECT * FROM users u JOIN posts p ON p.user_id = u.id WHERE u.title = 1 AND p.published = 1 AND u.created_at = p.created_at';
    expect(find(sql, 'p')).toEqual({ equal: ['user_id', 'published', 'created_at'], range: [], sort: [] });
    expect(find(sql, 'u')).toEqual({ equal: ['id', 'title', 'created_at'], range: [], sort: [] });
  });
});

describe('what the guard returns for a statement', () => {
  it('guarded SELECT statements that differ only in literals have the same query shape', () => {
    expect(guard("SELECT * FROM posts /* x */ WHERE id = 5 AND title = 'a'").shape).toBe(
      guard("SELECT  *\nFROM posts WHERE id = 7 AND title = 'bb'").shape,
    );
    expect(guard('SELECT * FROM posts WHERE id = 5').shape).not.toBe(
      guard('SELECT * FROM posts WHERE user_id = 5').shape,
    );
  });

  it('a guarded SELECT lists the aliases of its tables', () => {
    expect([...guard('SELECT * FROM posts p JOIN users ON users.id = p.user_id').aliases]).toEqual([
      ['p', 'posts'],
      ['users', 'users'],
    ]);
    expect([
      ...guard('SELECT * FROM posts x WHERE EXISTS (SELECT 1 FROM users x WHERE x.id = 1)').aliases,
    ]).toEqual([]);
    const borrowed = guard('SELECT secret.id FROM posts secret', ['secret']);
    expect([...borrowed.aliases]).toEqual([['given0', 'posts']]);
  });
});
