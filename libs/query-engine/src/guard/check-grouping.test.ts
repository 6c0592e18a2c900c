import type { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { guardQuery } from './guard-query.js';
import type { GroupingTable } from '../types.js';

const TABLES: Readonly<Record<string, GroupingTable>> = {
  users: { columns: new Set(['id', 'username', 'email', 'bio']), keys: [['id'], ['email']], generated: [] },
  posts: {
    columns: new Set(['id', 'user_id', 'title', 'slug', 'published']),
    keys: [['id']],
    generated: ['slug'],
  },
  links: { columns: new Set(['post_id', 'tag_id', 'note']), keys: [['post_id', 'tag_id']], generated: [] },
};

function detailOf(query: string): string {
  try {
    guardQuery(query, {
      tables: [...Object.keys(TABLES), 'a_view'],
      hiddenNames: [],
      schemaName: 'p1',
      groupingTables: (name) => TABLES[name] ?? null,
    });
  } catch (error) {
    return `${(error as AppError).code}: ${(error as AppError).detail}`;
  }
  return 'accepted';
}

describe('a selected column in a grouped query', () => {
  it.each([
    ['SELECT title, COUNT(*) FROM posts GROUP BY user_id', 'title'],
    [
      'SELECT u.username, p.title, COUNT(*) FROM users u JOIN posts p ON p.user_id = u.id GROUP BY u.id',
      'p.title',
    ],
    ['SELECT UPPER(title) t FROM posts GROUP BY user_id', 'title'],
    ['SELECT user_id, COUNT(*) FROM posts GROUP BY user_id HAVING title > 1', 'title'],
    ['SELECT user_id, COUNT(*) FROM posts GROUP BY user_id ORDER BY title', 'title'],
    ['SELECT note FROM links GROUP BY post_id', 'note'],
    ['SELECT title, COUNT(*) FROM posts', 'title'],
    ['SELECT MAX(title), published FROM posts', 'published'],
    ['SELECT * FROM (SELECT title, COUNT(*) n FROM posts GROUP BY user_id) x', 'title'],
    ['WITH a AS (SELECT title, COUNT(*) n FROM posts GROUP BY 2) SELECT 1', 'title'],
    ['SELECT user_id FROM posts GROUP BY user_id UNION SELECT title FROM posts GROUP BY published', 'title'],
    ['SELECT username, (SELECT COUNT(*) FROM posts) FROM users GROUP BY bio', 'username'],
  ])("a selected column that doesn't depend on grouped columns is rejected by name: %s", (query, column) => {
    expect(detailOf(query)).toContain(
      `query.invalid_sql: The column ${column} is neither grouped nor aggregated`,
    );
  });

  it.each([
    'SELECT u.id, u.username, COUNT(p.id) AS n FROM users u LEFT JOIN posts p ON p.user_id = u.id GROUP BY u.id ORDER BY u.username',
    'SELECT username, COUNT(*) FROM users GROUP BY email',
    'SELECT p.user_id, u.username FROM posts p JOIN users u ON u.id = p.user_id GROUP BY p.user_id',
    'SELECT u.username, COUNT(*) FROM posts p, users u WHERE u.id = p.user_id GROUP BY p.user_id',
    'SELECT title, COUNT(*) FROM posts WHERE id = 5',
    'SELECT published, COUNT(*) FROM posts WHERE published = 1 GROUP BY user_id',
    'SELECT note FROM links GROUP BY post_id, tag_id',
    'SELECT UPPER(title) AS t, COUNT(*) FROM posts GROUP BY t',
    'SELECT UPPER(title), COUNT(*) AS n FROM posts GROUP BY 1 ORDER BY n DESC',
    'SELECT LEFT(title, 1), COUNT(*) FROM posts GROUP BY LEFT(title, 1)',
    'SELECT user_id, COUNT(*) AS title FROM posts GROUP BY user_id ORDER BY title',
    'SELECT user_id, MAX(title) FROM posts GROUP BY user_id HAVING COUNT(title) > 1',
    'SELECT slug FROM posts GROUP BY user_id',
    'SELECT name, COUNT(*) FROM a_view GROUP BY id',
    'SELECT title FROM (SELECT 1 AS title) x GROUP BY 1',
    'SELECT id, (SELECT COUNT(*) FROM posts p WHERE p.user_id = u.id) FROM users u',
    'SELECT title, COUNT(*) OVER (PARTITION BY user_id) FROM posts',
    'SELECT user_id, title FROM posts GROUP BY user_id, title WITH ROLLUP',
    'SELECT title FROM posts',
    'SELECT DISTINCT title FROM posts ORDER BY title',
    'SELECT user_id, SUM(CASE WHEN published THEN 1 ELSE 0 END) FROM posts GROUP BY user_id',
    'SELECT GROUP_CONCAT(title ORDER BY id SEPARATOR ",") FROM posts',
    'SELECT COUNT(*) FROM posts ORDER BY title',
    'SELECT user_id AS u FROM posts GROUP BY u ORDER BY u',
    'SELECT p.user_id FROM posts p GROUP BY user_id',
    'SELECT (SELECT u.username FROM users u WHERE u.id = p.user_id) FROM posts p GROUP BY p.user_id',
  ])('a selected column that may depend on grouped columns is accepted: %s', (query) => {
    expect(detailOf(query)).toBe('accepted');
  });
});
