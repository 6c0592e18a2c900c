import type { RawTable } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { makeShadowText, readGeneratedSuffix, respellKey } from './shadow-text.js';

const table = {
  name: 'posts',
  createSql: [
    'CREATE TABLE `posts` (',
    '  `id` int NOT NULL AUTO_INCREMENT,',
    '  `user_id` int,',
    '  PRIMARY KEY (`id`),',
    '  KEY `user_id` (`user_id`),',
    '  CONSTRAINT `posts_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`),',
    '  CONSTRAINT `posts_chk_2` CHECK ((`id` > 0)),',
    '  CONSTRAINT `positive` CHECK ((`id` <> 5))',
    ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4',
  ].join('\n'),
  foreignKeys: [
    { definition: 'CONSTRAINT `posts_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)' },
  ],
} as unknown as RawTable;

it('the CREATE statement of a shadow table has every index and no foreign key', () => {
  const { create, change } = makeShadowText(table, '_rh_x_0_0s', 'MODIFY COLUMN `id` bigint', 'mariadb');
  expect(create).toContain('CREATE TABLE `_rh_x_0_0s` (');
  expect(create).toContain('KEY `user_id` (`user_id`)');
  expect(create).toContain('CONSTRAINT `positive` CHECK');
  expect(create).not.toContain('FOREIGN KEY');
  expect(change).toBe('ALTER TABLE `_rh_x_0_0s` MODIFY COLUMN `id` bigint');
});

it('checks of a MySQL shadow table get names that the table swap reverts', () => {
  const { create, change } = makeShadowText(
    table,
    '_rh_x_0_0s',
    'DROP CHECK `positive`, ADD CONSTRAINT `small` CHECK ((`id` < 9))',
    'mysql',
  );
  expect(create).toContain('CONSTRAINT `_rh_x_0_0s_chk_2` CHECK');
  expect(create).toContain('CONSTRAINT `_rh_x_0_0s_chk_900` CHECK');
  expect(change).toBe(
    'ALTER TABLE `_rh_x_0_0s` DROP CHECK `_rh_x_0_0s_chk_900`, ADD CONSTRAINT `_rh_x_0_0s_chk_901` CHECK ((`id` < 9))',
  );
});

it('a foreign key of a shadow table gets another name and target table', () => {
  expect(
    respellKey('CONSTRAINT `a``b` FOREIGN KEY (`x`) REFERENCES `t` (`y`) ON DELETE CASCADE', 'n', 's'),
  ).toBe('CONSTRAINT `n` FOREIGN KEY (`x`) REFERENCES `s` (`y`) ON DELETE CASCADE');
});

it('constraint names that the engine generated are recognized', () => {
  expect(readGeneratedSuffix('posts', 'posts_ibfk_12', 'ibfk')).toBe('_ibfk_12');
  expect(readGeneratedSuffix('posts', 'posts_ibfk_x', 'ibfk')).toBeNull();
  expect(readGeneratedSuffix('posts', 'mine', 'ibfk')).toBeNull();
});
