import { expect, it } from 'vitest';
import { findLostComment } from './find-lost-comment.js';

it('reports emoji in comments on MariaDB alone, and nowhere else in a statement', () => {
  const lost = "CREATE TABLE t (a INT COMMENT 'fun 😀')";
  expect([findLostComment(lost, 'mariadb'), findLostComment(lost, 'mysql')]).toEqual([expect.stringContaining('emoji'), null]);
  expect(findLostComment("CREATE TABLE t (a VARCHAR(9) DEFAULT '😀') COMMENT='ü'", 'mariadb')).toBe(null);
});
