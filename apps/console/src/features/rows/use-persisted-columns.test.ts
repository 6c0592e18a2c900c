import { expect, it } from 'vitest';
import { readTables, type TableView } from '../../data/schema/read-tables.js';
import { callHook } from '../../testing/call-hook.js';
import { pickKnown, usePersistedColumns } from './use-persisted-columns.js';

const table = readTables([
  {
    name: 'posts',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int', value_kind: 'integer' },
      { name: 'title', type: 'text', value_kind: 'string' },
    ],
  },
])[0] as TableView;

it('stored grid columns that no longer exist are ignored', () => {
  expect(pickKnown(['title', 'gone', 'id'], table)).toEqual(['title', 'id']);
  expect([
    pickKnown(['gone'], table),
    pickKnown(null, table),
    pickKnown('title' as unknown as string[], table),
  ]).toEqual([undefined, undefined, undefined]);
});

it('the grid shows the columns of the URL', () => {
  expect(callHook(() => usePersistedColumns('db_1', table, ['title'], () => undefined))[0]).toEqual([
    'title',
  ]);
  expect(callHook(() => usePersistedColumns('db_1', table, undefined, () => undefined))[0]).toBeUndefined();
});
