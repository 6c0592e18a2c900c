import { expect, it } from 'vitest';
import { isConstraintAdd, readConstraintAdd } from './algorithm-fallback.js';

it('statements that add a constraint are recognized and returned with their reversal', () => {
  expect(
    readConstraintAdd('ALTER TABLE `po``sts` ADD CONSTRAINT `a``b` FOREIGN KEY (`x`) REFERENCES `y` (`id`)'),
  ).toEqual({ strategy: 'add_foreign_key', dropSpec: 'DROP FOREIGN KEY `a``b`' });
  expect(readConstraintAdd('ALTER TABLE `posts` ADD CONSTRAINT `c` CHECK (`n` > 0)')).toEqual({
    strategy: 'add_check',
    dropSpec: 'DROP CONSTRAINT `c`',
  });
  for (const sql of [
    "ALTER TABLE `posts` ADD COLUMN `c` varchar(40) DEFAULT 'ADD CONSTRAINT `c` CHECK (1)'",
    'ALTER TABLE `posts` DROP FOREIGN KEY `c`',
    'CREATE TABLE `posts` (`id` int)',
  ]) {
    expect([readConstraintAdd(sql), isConstraintAdd(sql)]).toEqual([null, false]);
  }
});
