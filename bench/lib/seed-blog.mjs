// @ts-check
import mysql from 'mysql2/promise';
import { makeRandom } from './make-random.mjs';

const ROWS_PER_INSERT = 1_000;

/**
 * Fills the example schema. The same seed gives the same rows.
 * @param {string} databaseUrl
 * @param {import('./bench-case.mjs').DataSize} size
 * @param {number} seed
 */
export async function seedBlog(databaseUrl, size, seed) {
  const random = makeRandom(seed);
  const below = (/** @type {number} */ max) => 1 + Math.floor(random() * max);
  const words = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => below(1e9).toString(36)).join(' ');
  const connection = await mysql.createConnection(databaseUrl);
  const fill = async (
    /** @type {string} */ into,
    /** @type {number} */ count,
    /** @type {(n: number) => unknown[]} */ makeRow,
  ) => {
    for (let first = 1; first <= count; first += ROWS_PER_INSERT) {
      const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - first + 1) }, (_, index) =>
        makeRow(first + index),
      );
      await connection.query(`INSERT INTO ${into} VALUES ?`, [rows]);
    }
  };
  await fill('users (id, username, email, bio)', size.users, (n) => [
    n,
    `user${n}`,
    `user${n}@example.test`,
    words(8),
  ]);
  await fill('posts (id, title, content, user_id, published)', size.posts, (n) => [
    n,
    words(5),
    words(40),
    below(size.users),
    below(2) - 1,
  ]);
  await fill('comments (id, content, user_id, post_id)', size.comments, (n) => [
    n,
    words(12),
    below(size.users),
    below(size.posts),
  ]);
  await fill('tags (id, name)', size.tags, (n) => [n, `tag${n}`]);
  await fill('post_tags (post_id, tag_id)', size.posts, (n) => [n, below(size.tags)]);
  await connection.query('ANALYZE TABLE users, posts, comments, tags, post_tags');
  await connection.end();
}

/**
 * Deletes the comments that were created after the seed.
 * @param {string} databaseUrl
 * @param {import('./bench-case.mjs').DataSize} size
 */
export async function deleteAddedComments(databaseUrl, size) {
  const connection = await mysql.createConnection(databaseUrl);
  await connection.query('DELETE FROM comments WHERE id > ?', [size.comments]);
  await connection.end();
}
