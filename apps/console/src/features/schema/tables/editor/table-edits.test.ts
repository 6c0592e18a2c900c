import { describe, expect, it } from 'vitest';
import { listTableEdits, findMovedColumns } from './table-edits.js';
import {
  makeColumn,
  makeKey,
  makeNewTable,
  readTypedDefault,
  toTableForm,
  type ColumnForm,
  type TableForm,
  describeName,
  findFormFaults,
} from './table-form.js';

const before = toTableForm({
  revision: 3,
  name: 'posts',
  kind: 'table',
  comment: '',
  sql: '',
  triggers: [],
  referenced_by: [],
  columns: ['id', 'title', 'slug', 'user_id'].map((name) => ({
    name,
    type: name === 'title' || name === 'slug' ? 'varchar(200)' : 'int(11)',
    nullable: false,
    default: { kind: 'none' as const },
    auto_increment: name === 'id',
    unique: name === 'slug',
    comment: '',
    generated: null,
    definition: '',
  })),
  primary_key: ['id'],
  indexes: [
    { name: 'slug_once', type: 'unique', columns: ['slug'] },
    { name: 'by_user', type: 'plain', columns: ['user_id', 'title'] },
  ],
  foreign_keys: [
    {
      name: 'posts_user',
      columns: ['user_id'],
      to: 'users',
      to_columns: ['id'],
      on_delete: 'cascade',
      on_update: 'restrict',
    },
  ],
  checks: [{ name: 'long', expression: "`title` <> ''" }],
});
const change = (key: string, to: Partial<ColumnForm>): TableForm => ({
  ...before,
  columns: before.columns.map((column) => (column.key === key ? { ...column, ...to } : column)),
});

describe('listTableEdits', () => {
  it('an unchanged table form gives no edits', () => {
    expect(listTableEdits(before, before)).toEqual([]);
  });

  it('a renamed column in the table form gives a rename', () => {
    expect(listTableEdits(before, change('title', { name: 'headline' }))).toEqual([
      { kind: 'rename_column', table: 'posts', column: 'title', to: 'headline' },
    ]);
    expect(listTableEdits(before, change('title', { name: 'headline', nullable: true }))).toEqual([
      { kind: 'change_column', table: 'posts', column: 'title', to: { name: 'headline', nullable: true } },
    ]);
  });

  it('adding a column in the table form states its position unless it is the last column', () => {
    const subtitle = { ...makeColumn(makeKey(before)), name: 'subtitle' };
    const [id, ...rest] = before.columns as [ColumnForm, ...ColumnForm[]];
    expect(listTableEdits(before, { ...before, columns: [id, subtitle, ...rest] })).toMatchObject([
      { kind: 'add_column', column: { name: 'subtitle', type: 'varchar(200)', nullable: true }, after: 'id' },
    ]);
    expect(
      listTableEdits(before, { ...before, columns: [...before.columns, subtitle] })[0],
    ).not.toHaveProperty('after');
  });

  it('the table form drops the dependents of a column before the column', () => {
    const form = {
      ...change('user_id', { isDropped: true }),
      foreignKeys: before.foreignKeys.map((key) => ({ ...key, isDropped: true })),
      indexes: before.indexes.map((index) => ({ ...index, isDropped: true })),
    };
    expect(listTableEdits(before, form).map((edit) => edit.kind)).toEqual([
      'drop_foreign_key',
      'drop_index',
      'drop_column',
    ]);
  });

  it('the table form drops a changed index, key or check and creates it again', () => {
    const form: TableForm = {
      ...before,
      foreignKeys: before.foreignKeys.map((key) => ({ ...key, onDelete: 'set null' })),
      checks: before.checks.map((check) => ({ ...check, expression: '1' })),
    };
    expect(listTableEdits(before, form)).toEqual([
      { kind: 'drop_foreign_key', table: 'posts', name: 'posts_user' },
      { kind: 'drop_check', table: 'posts', name: 'long' },
      {
        kind: 'add_foreign_key',
        table: 'posts',
        name: 'posts_user',
        columns: ['user_id'],
        references: { table: 'users', columns: ['id'], on_delete: 'set null', on_update: 'restrict' },
      },
      { kind: 'add_check', table: 'posts', name: 'long', expression: '1' },
    ]);
  });

  it('the table form removes `unique` by its index name, and a default by an explicit edit', () => {
    expect(listTableEdits(before, change('slug', { unique: false }), { slug: 'slug_once' })).toEqual([
      { kind: 'drop_index', table: 'posts', name: 'slug_once' },
    ]);
    const counted = change('title', { defaultKind: 'literal', defaultText: 'x' });
    expect(listTableEdits(counted, { ...counted, columns: before.columns })).toMatchObject([
      { kind: 'change_column', to: { no_default: true } },
    ]);
  });

  it('the table form renames the table last and updates the primary key after its columns', () => {
    const form = { ...change('id', { name: 'post_id' }), name: 'articles', primaryKey: ['id', 'user_id'] };
    expect(listTableEdits(before, form)).toEqual([
      { kind: 'rename_column', table: 'posts', column: 'id', to: 'post_id' },
      { kind: 'set_primary_key', table: 'posts', columns: ['post_id', 'user_id'] },
      { kind: 'rename_table', table: 'posts', to: 'articles' },
    ]);
  });

  it('the table form creates a new table with all of its parts', () => {
    const form: TableForm = {
      ...makeNewTable(),
      name: 'notes',
      checks: [{ key: 'c', from: null, name: '', isDropped: false, expression: 'id > 0' }],
    };
    expect(listTableEdits(null, form)).toMatchObject([
      {
        kind: 'create_table',
        table: 'notes',
        columns: [{ name: 'id', auto_increment: true }],
        primary_key: ['id'],
      },
      { kind: 'add_check', table: 'notes', expression: 'id > 0' },
    ]);
  });
});

it('reordering a table form moves the fewest possible columns', () => {
  expect([...findMovedColumns(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])]).toEqual(['d']);
  expect([...findMovedColumns(['a', 'b', 'c'], ['a', 'c'])]).toEqual([]);
});

it('the table form reads a typed column default as a value or an expression', () => {
  expect(readTypedDefault('draft')).toEqual({ defaultKind: 'literal', defaultText: 'draft' });
  expect(readTypedDefault('current_timestamp()').defaultKind).toBe('expression');
  expect(readTypedDefault('NULL').defaultKind).toBe('null');
});

it('listTableEdits reports a table or column without a name', () => {
  expect(findFormFaults(makeNewTable())).toEqual(['The table needs a name.']);
  expect(findFormFaults(change('title', { name: 'ID' }))).toEqual(['Two columns are named ID.']);
  expect(findFormFaults(before)).toEqual([]);
});

it('the table editor suggests a plain name in place of one that needs quotes', () => {
  expect(describeName('Bad Name!', null)).toContain('bad_name');
  expect(describeName('2 x', null)).toContain('t_2_x');
  for (const name of ['notes', 'post_tags', 'Users', '予約', 'müller'])
    expect(describeName(name, null)).toBeNull();
  expect(describeName('Bad Name!', 'Bad Name!')).toBeNull();
});
