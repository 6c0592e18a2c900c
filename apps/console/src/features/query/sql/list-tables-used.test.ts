import { expect, it } from 'vitest';
import { listTablesUsed } from './list-tables-used.js';

const KNOWN = ['posts', 'users', 'tags', 'odd`name', 'title'];

it.each([
  ['SELECT title, count(*) FROM posts', ['posts']],
  ['select * from `posts` p, Users u WHERE p.user_id = u.id', ['posts', 'users']],
  [
    'SELECT u.name FROM users u JOIN posts AS p ON p.user_id = u.id LEFT JOIN `odd``name` o ON 1',
    ['users', 'posts', 'odd`name'],
  ],
  ['SELECT tags, posts FROM users ORDER BY posts, tags', ['users']],
  ['SELECT * FROM posts WHERE id IN (SELECT post_id FROM tags) -- FROM users', ['posts', 'tags']],
  ["SELECT 'x FROM users' FROM nowhere", []],
  ['UPDATE posts SET title = 1', ['posts']],
  ['INSERT INTO tags (title) VALUES (1)', ['tags']],
  ['SELECT 1', []],
  ['', []],
])('listTablesUsed returns for the query %s: %j', (sql, used) => {
  expect(listTablesUsed(sql, KNOWN)).toEqual(used);
});
