import { describe, expect, it } from 'vitest';
import { makeSnapshot, makeTable } from '../testing/make-schema.js';
import type { SchemaEdit } from './edit-types.js';
import { editsToSql } from './edits-to-sql.js';

const schema = makeSnapshot(
  makeTable('users', [
    'id int NOT NULL AUTO_INCREMENT',
    "name varchar(50) NOT NULL DEFAULT 'x' COMMENT 'it''s'",
    'PRIMARY KEY (id)',
  ]),
  makeTable('posts', [
    'id int NOT NULL',
    'user_id int',
    'n int',
    'PRIMARY KEY (id)',
    'KEY by_n (n)',
    'CONSTRAINT posts_user_id_fk FOREIGN KEY (user_id) REFERENCES users (id)',
  ]),
);
const item = (edit: SchemaEdit) => editsToSql(schema, [edit]);
const sqlOf = (edit: SchemaEdit): string[] => {
  const { sql, faults } = item(edit);
  expect(faults).toEqual([]);
  return sql;
};

describe('editsToSql', () => {
  it('editsToSql creates tables with keys, unique constraints and foreign keys', () => {
    expect(
      sqlOf({
        kind: 'create_table',
        table: 'notes',
        comment: "Ann's",
        columns: [
          { name: 'id', type: 'int', auto_increment: true },
          { name: 'title', type: 'string', unique: true, default: "a'b\\" },
          {
            name: 'user_id',
            type: 'int',
            nullable: true,
            references: { table: 'users', on_delete: 'set null' },
          },
          { name: 'at', type: 'datetime', default_expression: 'CURRENT_TIMESTAMP' },
        ],
      }),
    ).toEqual([
      `CREATE TABLE \`notes\` (
  \`id\` int NOT NULL AUTO_INCREMENT,
  \`title\` varchar(255) NOT NULL DEFAULT 'a''b\\\\',
  \`user_id\` int NULL,
  \`at\` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`title\` (\`title\`),
  CONSTRAINT \`notes_user_id_fk\` FOREIGN KEY (\`user_id\`) REFERENCES \`users\` (\`id\`) ON DELETE SET NULL
) COMMENT = 'Ann''s'`,
    ]);
  });
  it('editsToSql passes on a type that is named like an object property to the server', () => {
    expect(
      sqlOf({ kind: 'add_column', table: 'posts', column: { name: 'a', type: 'constructor' } })[0],
    ).toContain('`a` constructor');
  });
  it('editsToSql gives new keys unused names within the length limit', () => {
    const long = 'x'.repeat(60);
    const [sql = ''] = sqlOf({
      kind: 'create_table',
      table: long,
      columns: [
        { name: 'a', type: 'int', references: { table: 'users' } },
        { name: 'b', type: 'int', references: { table: 'users' } },
      ],
    });
    const names = [...sql.matchAll(/CONSTRAINT `(\w+)`/g)].map((match) => match[1]);
    expect(names).toEqual([long, `${long}2`]);
    expect(
      sqlOf({
        kind: 'create_table',
        table: 'posts_user',
        columns: [{ name: 'id', type: 'int', references: { table: 'users' } }],
      })[0],
    ).toContain('CONSTRAINT `posts_user_id_fk2`');
  });
  it('editsToSql adds, renames and drops columns', () => {
    expect(
      sqlOf({
        kind: 'add_column',
        table: 'posts',
        column: { name: 'title', type: 'varchar(80)', unique: true, nullable: true },
        after: 'id',
      }),
    ).toEqual([
      'ALTER TABLE `posts` ADD COLUMN `title` varchar(80) NULL AFTER `id`, ADD UNIQUE KEY `title` (`title`)',
    ]);
    expect(
      sqlOf({
        kind: 'add_column',
        table: 'posts',
        column: { name: 'twice', type: 'int', generated: { expression: 'n * 2', stored: true } },
        after: null,
      }),
    ).toEqual(['ALTER TABLE `posts` ADD COLUMN `twice` int GENERATED ALWAYS AS (n * 2) STORED FIRST']);
    expect(sqlOf({ kind: 'rename_column', table: 'posts', column: 'n', to: 'm' })).toEqual([
      'ALTER TABLE `posts` RENAME COLUMN `n` TO `m`',
    ]);
    expect(sqlOf({ kind: 'drop_index', table: 'posts', name: 'by_n' })).toEqual([
      'ALTER TABLE `posts` DROP KEY `by_n`',
    ]);
    expect(sqlOf({ kind: 'set_primary_key', table: 'posts', columns: ['id', 'n'] })).toEqual([
      'ALTER TABLE `posts` DROP PRIMARY KEY, ADD PRIMARY KEY (`id`, `n`)',
    ]);
    expect(sqlOf({ kind: 'add_index', table: 'posts', columns: ['n', 'user_id'], type: 'unique' })).toEqual([
      'ALTER TABLE `posts` ADD UNIQUE KEY `n_user_id` (`n`, `user_id`)',
    ]);
    expect(
      sqlOf({
        kind: 'add_foreign_key',
        table: 'posts',
        columns: ['user_id'],
        references: { table: 'users' },
      }),
    ).toEqual([
      'ALTER TABLE `posts` ADD CONSTRAINT `posts_user_id_fk2` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)',
    ]);
  });
  it('editsToSql keeps the parts of a column that an edit omits', () => {
    expect(sqlOf({ kind: 'change_column', table: 'users', column: 'name', to: { nullable: true } })).toEqual([
      "ALTER TABLE `users` MODIFY COLUMN `name` varchar(50) NULL DEFAULT 'x'",
    ]);
    expect(
      sqlOf({
        kind: 'change_column',
        table: 'users',
        column: 'name',
        to: { type: 'varchar(90)', default: 'y', name: 'nick', comment: 'c' },
      }),
    ).toEqual([
      "ALTER TABLE `users` CHANGE COLUMN `name` `nick` varchar(90) NOT NULL DEFAULT 'y' COMMENT 'c'",
    ]);
    expect(sqlOf({ kind: 'change_column', table: 'users', column: 'id', to: { comment: 'key' } })).toEqual([
      "ALTER TABLE `users` MODIFY COLUMN `id` int NOT NULL AUTO_INCREMENT COMMENT 'key'",
    ]);
  });
  it('editsToSql changes the type of all columns that foreign keys join', () => {
    expect(sqlOf({ kind: 'change_column', table: 'users', column: 'id', to: { type: 'bigint' } })).toEqual([
      'ALTER TABLE `posts` DROP FOREIGN KEY `posts_user_id_fk`',
      'ALTER TABLE `users` MODIFY COLUMN `id` bigint NOT NULL AUTO_INCREMENT',
      'ALTER TABLE `posts` MODIFY COLUMN `user_id` bigint NULL',
      'ALTER TABLE `posts` ADD CONSTRAINT `posts_user_id_fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)',
    ]);
  });
  it('editsToSql accepts edits of tables and columns that earlier edits create', () => {
    const { sql, faults } = editsToSql(schema, [
      { kind: 'create_table', table: 'a', columns: [{ name: 'id', type: 'int', auto_increment: true }] },
      { kind: 'add_column', table: 'a', column: { name: 'x', type: 'int' } },
      { kind: 'add_index', table: 'a', columns: ['x'] },
      {
        kind: 'add_column',
        table: 'posts',
        column: { name: 'a_id', type: 'int', references: { table: 'a' } },
      },
      { kind: 'add_index', table: 'posts', columns: ['a_id'] },
      { kind: 'rename_table', table: 'posts', to: 'articles' },
      { kind: 'drop_column', table: 'articles', column: 'n' },
    ]);
    expect([sql.length, faults]).toEqual([7, []]);
  });
  it('editsToSql reports every impossible edit with a suggestion', () => {
    const { faults } = editsToSql(schema, [
      { kind: 'drop_table', table: 'post' },
      { kind: 'drop_column', table: 'posts', column: 'm' },
      { kind: 'add_column', table: 'posts', column: { name: 'x', type: 'int, DROP COLUMN n' } },
      { kind: 'drop_index', table: 'posts', name: 'no' },
      { kind: 'add_foreign_key', table: 'posts', columns: ['n'], references: { table: 'nowhere' } },
      { kind: 'create_table', table: 'empty', columns: [] },
    ]);
    expect(faults.map((fault) => [fault.edit, fault.member])).toEqual([
      [0, 'table'],
      [1, 'column'],
      [2, 'type'],
      [3, 'name'],
      [4, 'references'],
      [5, 'columns'],
    ]);
    expect(faults[0]?.known).toEqual(['posts', 'users']);
  });
});
