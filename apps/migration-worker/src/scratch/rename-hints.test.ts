import { describe, expect, it } from 'vitest';
import { findRenames } from './rename-hints.js';

const SERVER = { engine: 'mariadb', engineVersion: '10.11.6-MariaDB' } as const;
const posts = { kind: 'table', from: 'posts', to: 'articles' } as const;
const title = { kind: 'column', table: 'posts', from: 'title', to: 'headline' } as const;

describe('findRenames', () => {
  it.each([
    ['RENAME TABLE posts TO articles', [posts]],
    ['ALTER TABLE `posts` RENAME AS articles', [posts]],
    ['ALTER TABLE posts RENAME COLUMN title TO headline, ADD COLUMN n INT', [title]],
    ['ALTER TABLE IF EXISTS posts CHANGE COLUMN title `headline` VARCHAR(80), RENAME KEY a TO b', [title]],
    ['ALTER TABLE posts CHANGE title title VARCHAR(90)', []],
    ["ALTER TABLE posts COMMENT 'RENAME TO x'", []],
  ])('reads %s', async (sql, hints) => {
    expect(await findRenames(sql, SERVER)).toEqual(hints);
  });

  it('renames the columns of a table before the table, wherever its new name stands', async () => {
    expect(await findRenames('ALTER TABLE posts RENAME TO articles, RENAME COLUMN title TO headline', SERVER)).toEqual([title, posts]);
  });
});
