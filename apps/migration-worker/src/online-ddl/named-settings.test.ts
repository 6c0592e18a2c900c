import type { RenameHint } from '@rowhouse/ddl-plan';
import { expect, it } from 'vitest';
import { transferNames, dropRemovedNames, type NamedSettings } from './named-settings.js';

const table = (from: string, to: string): RenameHint => ({ kind: 'table', from, to });
const column = (of: string, from: string, to: string): RenameHint => ({
  kind: 'column',
  table: of,
  from,
  to,
});
const hiding = (
  hidden_columns: NamedSettings['hidden_columns'],
  more: Partial<NamedSettings> = {},
): NamedSettings => ({
  hidden_columns,
  unindexed_columns: {},
  number_columns: {},
  require_if_match: [],
  ...more,
});
const existing = (
  tables: Readonly<Record<string, readonly string[]>>,
): Parameters<typeof dropRemovedNames>[2] =>
  ({
    tables: Object.entries(tables).map(([name, columns]) => ({
      name,
      columns: columns.map((item) => ({ name: item })),
    })),
  }) as never;

it('hidden columns stay hidden under both names through several renames', () => {
  const hints = [table('users', 'people'), column('people', 'ssn', 'code'), table('people', 'staff')];
  expect(transferNames(hiding({ users: ['ssn'] }), hints)).toEqual(
    hiding({ users: ['ssn'], people: ['ssn', 'code'], staff: ['ssn', 'code'] }),
  );
  expect(
    transferNames(hiding({ users: ['ssn'], posts: ['draft'] }), [column('posts', 'title', 'name')]),
  ).toBeNull();
});

it('every setting that contains a renamed table or column is updated', () => {
  const settings = hiding(
    {},
    {
      unindexed_columns: { users: ['bio'] },
      number_columns: { users: ['stars'] },
      require_if_match: ['users'],
    },
  );
  expect(transferNames(settings, [table('users', 'people')])).toEqual(
    hiding(
      {},
      {
        unindexed_columns: { users: ['bio'], people: ['bio'] },
        number_columns: { users: ['stars'], people: ['stars'] },
        require_if_match: ['users', 'people'],
      },
    ),
  );
});

it('settings lose names of tables and columns that exist neither before nor after the rename', () => {
  const hints = [table('users', 'people'), column('people', 'ssn', 'code')];
  const both = hiding(
    { users: ['ssn'], people: ['ssn', 'code'], posts: ['draft'] },
    { require_if_match: ['users', 'people', 'posts'] },
  );
  expect(dropRemovedNames(both, hints, existing({ people: ['id', 'code'] }))).toEqual(
    hiding({ people: ['code'], posts: ['draft'] }, { require_if_match: ['people', 'posts'] }),
  );
  expect(dropRemovedNames(both, hints, existing({ users: ['id', 'ssn'] }))).toEqual(
    hiding({ users: ['ssn'], posts: ['draft'] }, { require_if_match: ['users', 'posts'] }),
  );
});

it('settings keep names of tables and columns that are reused or not renamed', () => {
  const hints = [column('users', 'a', 'c'), column('users', 'b', 'a')];
  const carried = transferNames(hiding({ users: ['a', 'gone'], posts: ['b'] }), hints) ?? hiding({});
  expect(dropRemovedNames(carried, hints, existing({ users: ['a', 'c'], posts: ['id'] }))).toBeNull();
  expect(carried.hidden_columns).toEqual({ users: ['a', 'gone', 'c'], posts: ['b'] });
});
