import type { KeyboardEvent } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { CutValue, UNREAD } from '../../../data/rows/cell-text.js';
import { readTables } from '../../../data/schema/read-tables.js';
import { callHook } from '../../../testing/call-hook.js';
import { NOTHING_STAGED, stageDelete } from '../changes/staged-changes.js';
import { useGridActions, type RowGridProps } from './use-grid-actions.js';
import type { GridWindow } from './use-grid-window.js';

const columns =
  readTables([
    {
      name: 't',
      primary_key: ['id'],
      columns: [
        { name: 'name', type: 'varchar(50)', value_kind: 'string', nullable: true },
        { name: 'id', type: 'int', value_kind: 'integer' },
      ],
    },
  ])[0]?.columns ?? [];
const rows = ['1', '2'].map((id) => ({
  id,
  path: id,
  values: { id, name: 'ada' },
  etag: null,
  isNew: false,
}));
const requested = vi.fn();
const note =
  (name: string) =>
  (...provided: unknown[]) =>
    requested(name, ...provided);
const element = { focus: vi.fn() };
const view = {
  scroller: { current: element },
  starts: [0, 100, 200],
  rows: { from: 0, to: 2 },
  columns: { from: 0, to: 2 },
  height: 700,
  first: 0,
  reveal: note('reveal'),
} as unknown as GridWindow;
const grid: RowGridProps = {
  label: 'Rows of t',
  columns,
  keys: ['id'],
  widths: [100, 100],
  rows,
  staged: NOTHING_STAGED,
  sort: undefined,
  selected: new Set(),
  isReadOnly: false,
  foot: null,
  empty: null,
  readCell: (row, column) => row.values[column.name],
  onSelect: note('select'),
  onSort: note('sort'),
  onResize: (column, width) => requested('resize', column.name, width),
  onCommit: (row, column, value) => requested('commit', row.id, column.name, value),
  onPaste: note('paste'),
  renderMenu: () => null,
  onOpen: (row) => requested('open', row.id),
  onDelete: (deleted) =>
    requested(
      'delete',
      deleted.map(({ id }) => id),
    ),
  onFollow: note('follow'),
  onCopy: (copied, of) =>
    requested(
      'copy',
      copied.map(({ id }) => id),
      of.map(({ name }) => name),
    ),
  onNearEnd: note('more'),
};
beforeEach(() => requested.mockClear());

/** Presses a key in the grid. The active cell is the first one. */
function press(
  key: string,
  held: Partial<KeyboardEvent> = {},
  change: Partial<RowGridProps> = {},
): unknown[][] {
  const event = {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    target: element,
    preventDefault: note('handled'),
    ...held,
  };
  callHook(() => useGridActions({ ...grid, ...change }, view)).onKeyDown(event as never);
  return requested.mock.calls;
}

it.each([
  ['ArrowDown', {}, ['reveal', { row: 1, column: 0 }]],
  ['End', { ctrlKey: true }, ['reveal', { row: 1, column: 1 }]],
  ['ArrowRight', { altKey: true }, ['resize', 'name', 120]],
  ['ArrowLeft', { altKey: true }, ['resize', 'name', 80]],
  ['Enter', { ctrlKey: true }, ['open', '1']],
  [' ', {}, ['select', new Set(['1'])]],
  ['a', { ctrlKey: true }, ['select', new Set(['1', '2'])]],
  ['c', { metaKey: true }, ['copy', ['1'], ['name']]],
  ['Delete', {}, ['commit', '1', 'name', null]],
  ['Delete', { ctrlKey: true }, ['delete', ['1']]],
])('the key %s with %j performs its action in the grid', (key, held, call) => {
  expect(press(key, held)).toEqual([call, ['handled']]);
});

it('the grid ignores keys without an action, and keys pressed within an inner element', () => {
  expect([
    ...press('F5'),
    ...press('s', { ctrlKey: true }),
    ...press('ArrowDown', { target: {} as EventTarget }),
  ]).toEqual([]);
});

it('Ctrl+Delete deletes every selected row of the grid', () => {
  expect(press('Delete', { ctrlKey: true }, { selected: new Set(['1', '2']) })[0]).toEqual([
    'delete',
    ['1', '2'],
  ]);
});

it.each([
  ['of a table that is read only', { isReadOnly: true }, 'x'],
  ['that is not read yet', { readCell: () => UNREAD }, 'x'],
  ['that is read in part', { readCell: () => new CutValue('a', 900, 'characters') }, 'x'],
  [
    'of a row that is to be deleted',
    { staged: stageDelete(NOTHING_STAGED, [{ id: '1', path: '1', values: {}, etag: null }]) },
    'x',
  ],
])('typing into a grid cell %s is ignored, and Enter opens the record instead', (_which, change, key) => {
  expect(press(key, {}, change)).toEqual([]);
  expect(press('Enter', {}, change)).toEqual([['open', '1'], ['handled']]);
});
