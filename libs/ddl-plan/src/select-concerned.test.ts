import { nameSnapshot, type Column, type Snapshot, type Table } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { selectConcerned } from './select-concerned.js';

const id = rawColumn('id', 'int');
const child = (name: string, ...parents: string[]) =>
  rawTable(name, [id, ...parents.map((parent) => rawColumn(`${parent}_id`, 'int'))], {
    foreignKeys: parents.map((parent) => foreignKey(name, `${parent}_id`, parent)),
  });
const view = (name: string, createSql: string) => ({
  ...rawTable(name, [id]),
  kind: 'view' as const,
  createSql,
});
const trigger = {
  name: 'tell',
  timing: 'AFTER',
  event: 'INSERT',
  createSql: 'CREATE TRIGGER tell AFTER INSERT ON logged FOR EACH ROW INSERT INTO audit VALUES (1)',
} as const;

const SNAPSHOT = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('lone', [id]),
      rawTable('users', [id]),
      child('posts', 'users'),
      child('comments', 'posts'),
      child('likes', 'comments'),
      rawTable('odd `name` (x)', [id]),
      rawTable('audit', [id]),
      { ...rawTable('logged', [id]), triggers: [trigger] },
      view('v1', 'CREATE VIEW `v1` AS select `lone`.`id` AS `id` from `lone`'),
      view('v2', 'CREATE VIEW `v2` AS select `v1`.`id` AS `id` from `v1` join `audit`'),
    ],
  },
  null,
);
const select = (...texts: string[]): string[] =>
  selectConcerned(SNAPSHOT, texts)
    .tables.map((table) => table.name)
    .sort();

describe('selectConcerned', () => {
  it('selectConcerned includes all tables that are connected with a named table by foreign keys', () => {
    expect(select('ALTER TABLE POSTS ADD COLUMN a int')).toEqual(['comments', 'posts', 'users']);
    expect(select('ALTER TABLE `likes` DROP COLUMN a')).toEqual(['comments', 'likes', 'posts', 'users']);
  });
  it('selectConcerned includes the views of a named table and all tables that these views read', () => {
    expect(select('DROP TABLE lone')).toEqual(['audit', 'lone', 'v1', 'v2']);
  });
  it('selectConcerned omits objects that depend on a table to which columns are only added', () => {
    const alter = (name: string, change: (table: Table) => Table): Snapshot => ({
      ...SNAPSHOT,
      tables: SNAPSHOT.tables.map((table) => (table.name === name ? change(table) : table)),
    });
    const selectTo = (target: Snapshot, ...texts: string[]): string[] =>
      selectConcerned(SNAPSHOT, texts, target).tables.map((table) => table.name);
    const [first] = SNAPSHOT.tables.flatMap((table) => table.columns);
    const added = { ...first, name: 'a' } as Column;
    const wider = (table: Table): Table => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, definition: 'bigint NOT NULL' })),
    });
    const more = (table: Table): Table => ({ ...table, columns: [added, ...table.columns] });
    const other = (table: Table): Table => ({ ...table, createSql: `${table.createSql} where 1` });
    const text = 'ALTER TABLE `posts` CHANGE';
    expect(selectTo(alter('posts', more), text)).toEqual(['posts', 'users']);
    expect(selectTo(alter('posts', wider), text)).toEqual(['comments', 'posts', 'users']);
    expect(selectTo(alter('posts', other), text)).toEqual(['comments', 'posts', 'users']);
    expect(selectTo(alter('lone', more), 'ALTER TABLE lone CHANGE')).toEqual(['lone']);
    expect(selectTo(alter('v1', other), 'CREATE OR REPLACE VIEW v1')).toEqual(['audit', 'lone', 'v1', 'v2']);
    expect(selectTo({ ...SNAPSHOT, tables: [] }, text)).toEqual(['comments', 'posts', 'users']);
  });
  it('selectConcerned finds a table by the name of its key or trigger', () => {
    expect(
      select('ALTER TABLE x ADD CONSTRAINT likes_comments_id_fk CHECK (1)', 'CREATE TRIGGER `Tell` …'),
    ).toEqual(expect.arrayContaining(['logged']));
    expect(select('ALTER TABLE audit ADD a int')).toEqual(expect.arrayContaining(['audit', 'logged', 'v2']));
    expect(
      selectConcerned(SNAPSHOT, [
        SNAPSHOT.tables.find((table) => table.name === 'likes')?.foreignKeys[0]?.name ?? '',
      ]).tables.map((table) => table.name),
    ).toContain('likes');
  });
  it('selectConcerned finds names with special characters next to any quote', () => {
    expect(select("CREATE TABLE a (b int COMMENT 'it`s'); ALTER TABLE `odd ``name`` (x)` ADD c int")).toEqual(
      ['odd `name` (x)'],
    );
  });
  it('selectConcerned returns no table for a text without names', () => {
    expect(select('CREATE TABLE other (id int)', '')).toEqual([]);
  });
});
