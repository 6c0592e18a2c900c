import { expect, it } from 'vitest';
import { readReferredTables } from './send-ddl.js';

it.each([
  [
    'CREATE TABLE `a` (`u` int, CONSTRAINT `fk` FOREIGN KEY (`u`) REFERENCES `users` (`id`) ON DELETE CASCADE)',
    ['users'],
  ],
  [
    'ALTER TABLE a ADD FOREIGN KEY (u) REFERENCES `p1`.`us``ers` (`id`), ADD FOREIGN KEY (g) references groups (id), ADD FOREIGN KEY (h) REFERENCES `users`(id)',
    ['us`ers', 'groups', 'users'],
  ],
  [
    'ALTER TABLE a ADD FOREIGN KEY (u) REFERENCES /* of `old` */\n  `users` (`id`), ADD FOREIGN KEY (v) REFERENCES `users` (`code`)',
    ['users'],
  ],
])('readReferredTables returns the tables that foreign keys reference: %s', (sql, tables) => {
  expect(readReferredTables(sql)).toEqual(tables);
});

it.each([
  "CREATE TABLE `a` (`t` text DEFAULT (' REFERENCES `users` (`id`)'), `c` int COMMENT 'FOREIGN KEY (x) REFERENCES `users` (`id`)')",
  'CREATE TABLE `a` (`REFERENCES `` users` int, `references` int, KEY (`references`))',
  'ALTER TABLE a ADD COLUMN b int /* REFERENCES `users` (`id`) */ -- REFERENCES `users`',
  'ALTER TABLE a ADD COLUMN b varchar(40)',
])('readReferredTables ignores texts, comments and names in: %s', (sql) => {
  expect(readReferredTables(sql)).toEqual([]);
});

it('readReferredTables returns nothing for a statement that cannot be parsed', () => {
  expect(readReferredTables("ALTER TABLE a COMMENT 'never closed REFERENCES `users`")).toEqual([]);
});
