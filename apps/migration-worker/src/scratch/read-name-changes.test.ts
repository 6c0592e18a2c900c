import { describe, expect, it } from 'vitest';
import { readNameChanges } from './read-name-changes.js';

const SERVER = { engine: 'mariadb', engineVersion: '10.11.6-MariaDB' } as const;
const alter = (
  table: string,
  columns: readonly object[],
  renameTo: string | null = null,
  ifExists = false,
) => ({ kind: 'alter_table', table, ifExists, columns, renameTo });
const rename = (from: string, to: string, ifExists = false) => ({ kind: 'rename', from, to, ifExists });
const add = (name: string, ifNotExists = false) => ({ kind: 'add', name, ifNotExists });
const drop = (name: string, ifExists = false) => ({ kind: 'drop', name, ifExists });
const create = (table: string, columns: unknown, orReplace = false, ifNotExists = false) => ({
  kind: 'create_table',
  table,
  orReplace,
  ifNotExists,
  columns,
});
const move = (from: string, to: string, ifExists = false) => ({ kind: 'rename_table', from, to, ifExists });

describe('readNameChanges', () => {
  it.each([
    ['RENAME TABLE posts TO articles, `a b` TO `c``d`', [move('posts', 'articles'), move('a b', 'c`d')]],
    ['RENAME TABLE IF EXISTS t WAIT 3 TO u', [move('t', 'u', true)]],
    ['ALTER TABLE `posts` RENAME AS articles', [alter('posts', [], 'articles')]],
    [
      'ALTER TABLE posts RENAME TO articles, RENAME COLUMN title TO headline',
      [alter('posts', [rename('title', 'headline')], 'articles')],
    ],
    [
      'ALTER TABLE posts RENAME COLUMN title TO headline, ADD COLUMN n INT',
      [alter('posts', [rename('title', 'headline'), add('n')])],
    ],
    [
      'ALTER TABLE IF EXISTS posts CHANGE COLUMN title `headline` VARCHAR(80), RENAME KEY a TO b',
      [alter('posts', [rename('title', 'headline')], null, true)],
    ],
    [
      "ALTER TABLE posts CHANGE IF EXISTS title t2 ENUM('a,b', 'c)') NOT NULL FIRST, DROP IF EXISTS n",
      [alter('posts', [rename('title', 't2', true), drop('n', true)], null)],
    ],
    [
      'ALTER TABLE t DROP a, DROP COLUMN `b`, DROP KEY k, DROP PRIMARY KEY, DROP FOREIGN KEY f, DROP CONSTRAINT c',
      [alter('t', [drop('a'), drop('b')])],
    ],
    [
      'ALTER TABLE t ADD a INT, ADD COLUMN IF NOT EXISTS b INT, ADD (c INT, d DECIMAL(5,2)), ADD `key` INT, ADD KEY k (a), ADD UNIQUE (b), ADD FOREIGN KEY (a) REFERENCES x (id), ADD CHECK (a > 1)',
      [alter('t', [add('a'), add('b', true), add('c'), add('d'), add('key')])],
    ],
    ['ALTER TABLE posts CHANGE title title VARCHAR(90)', []],
    ["ALTER TABLE posts COMMENT 'RENAME TO x'", []],
    [
      'CREATE TABLE IF NOT EXISTS t (a INT, `key` INT, PRIMARY KEY (a), KEY k (`key`), CONSTRAINT c CHECK (a > 1), b DECIMAL(3,1))',
      [create('t', ['a', 'key', 'b'], false, true)],
    ],
    ['CREATE OR REPLACE TABLE t (a INT)', [create('t', ['a'], true)]],
    [
      'CREATE TABLE t LIKE u; CREATE TABLE v (LIKE u)',
      [create('t', { like: 'u' }), create('v', { like: 'u' })],
    ],
    [
      'CREATE OR REPLACE VIEW v AS SELECT 1; DROP VIEW IF EXISTS v; DROP TABLE t, `u` CASCADE',
      [
        { kind: 'create_view', view: 'v' },
        { kind: 'drop', names: ['v'], ifExists: true },
        { kind: 'drop', names: ['t', 'u'], ifExists: false },
      ],
    ],
    ['CREATE INDEX i ON t (a); DROP INDEX i ON t', []],
  ])('readNameChanges returns the renames of the statement %s', async (sql, changes) => {
    expect(await readNameChanges(sql, SERVER)).toEqual(changes);
  });
});
