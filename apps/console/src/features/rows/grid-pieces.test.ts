import { describe, expect, it, vi } from 'vitest';
import { CutValue, UNREAD } from '../../data/rows/cell-text.js';
import { readTables, type TableView } from '../../data/schema/read-tables.js';
import { copyRows } from './transfer/copy-rows.js';
import { readDataSearch } from './data-search.js';
import { directionOf } from './grid/grid-header.js';
import { createGridRows, listNewRows } from './grid/grid-row.js';
import { listBackReferences } from './record/back-references.js';
import { moveActive, readCellPosition } from './grid/cell-position.js';
import { writeCells } from './grid/cell-block.js';
import { pasteCells } from './grid/paste-cells.js';
import { readValue } from './record/read-value.js';
import { listShownColumns } from './use-persisted-columns.js';
import { NOTHING_STAGED, stageInsert } from './changes/staged-changes.js';

const TABLES = readTables([
  {
    name: 'users',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int(11)', value_kind: 'integer', auto_increment: true },
      { name: 'name', type: 'varchar(50)', value_kind: 'string' },
      { name: 'price', type: 'decimal(9,2)', value_kind: 'decimal', nullable: true },
      { name: 'at', type: 'timestamp', value_kind: 'timestamp' },
    ],
    relationships: [
      { name: 'posts', kind: 'to_many', table: 'posts', via: ['user_id'] },
      { name: 'tags', kind: 'many_to_many', table: 'tags', via: 'links' },
    ],
  },
  {
    name: 'posts',
    primary_key: ['id'],
    columns: [
      { name: 'user_id', type: 'int', value_kind: 'integer', references: { table: 'users', column: 'id' } },
    ],
  },
]);
const users = TABLES[0] as TableView;
const columnOf = (name: string) =>
  users.columns.find((column) => column.name === name) as TableView['columns'][number];

describe('grid helpers', () => {
  it('the arrow keys keep the active cell within the grid', () => {
    const size = { rows: 100, columns: 5, pageRows: 20 };
    expect(moveActive({ row: 0, column: 0 }, 'ArrowUp', false, size)).toEqual({ row: 0, column: 0 });
    expect(moveActive({ row: 90, column: 2 }, 'PageDown', false, size)).toEqual({ row: 99, column: 2 });
    expect(moveActive({ row: 9, column: 2 }, 'End', true, size)).toEqual({ row: 99, column: 4 });
    expect(moveActive({ row: 9, column: 2 }, 'x', false, size)).toBeNull();
  });

  it('the grid reuses the row object of an unchanged record, with or without a key', () => {
    const toGridRows = createGridRows(users);
    const [ada, ida] = [
      { id: 1, name: 'ada', _etag: 'W/"1"' },
      { id: 2, name: 'ida' },
    ];
    const before = toGridRows([ada]);
    const after = toGridRows([ada, ida]);
    expect(after[0]).toBe(before[0]);
    expect(after.map(({ id, path, etag }) => [id, path, etag])).toEqual([
      ['1', '1', 'W/"1"'],
      ['2', '2', null],
    ]);
    expect(
      createGridRows({ ...users, primaryKey: [] })([ada, ida]).map(({ id, path }) => [id, path]),
    ).toEqual([
      ['#0', null],
      ['#1', null],
    ]);
    expect(listNewRows(stageInsert(NOTHING_STAGED, 'new-1', { name: 'x' }))).toEqual([
      { id: 'new-1', path: null, values: { name: 'x' }, etag: null, isNew: true },
    ]);
  });

  it('the grid renders columns at their positions', () => {
    const visible = listShownColumns(users.columns, [100, 60, 200, 80], [0, 100, 160, 360, 440], {
      from: 1,
      to: 3,
    });
    expect(visible).toMatchObject({
      list: [
        { index: 1, width: 60 },
        { index: 2, width: 200 },
      ],
      offset: 100,
      breadth: 260,
    });
    expect(visible.list.map(({ column }) => column.name)).toEqual(['name', 'price']);
  });

  it('the grid finds the cell under the pointer', () => {
    class FakeElement {
      constructor(
        readonly role: string,
        readonly attributes: Readonly<Record<string, string>>,
        readonly parent: FakeElement | null,
      ) {}
      closest(selector: string): FakeElement | null {
        return selector === `[role="${this.role}"]` ? this : (this.parent?.closest(selector) ?? null);
      }
      getAttribute(name: string): string | null {
        return this.attributes[name] ?? null;
      }
    }
    vi.stubGlobal('Element', FakeElement);
    const placeIn = (rowIndex: string, role: string, columnIndex: string) =>
      readCellPosition(
        new FakeElement(
          'img',
          {},
          new FakeElement(
            role,
            { 'aria-colindex': columnIndex },
            new FakeElement('row', { 'aria-rowindex': rowIndex }, null),
          ),
        ) as unknown as EventTarget,
      );
    expect(placeIn('5', 'gridcell', '4')).toEqual({ row: 3, column: 2 });
    expect([
      placeIn('5', 'gridcell', '1'),
      placeIn('1', 'columnheader', '4'),
      placeIn('1', 'gridcell', '4'),
    ]).toEqual([null, null, null]);
    vi.unstubAllGlobals();
  });

  it('text that is typed into the grid is parsed by the type of the column', () => {
    expect(readValue(columnOf('price'), ' 2.50 ')).toEqual({ kind: 'value', value: '2.50' });
    expect(readValue(columnOf('price'), '')).toEqual({ kind: 'value', value: null });
    expect(readValue(columnOf('id'), '')).toMatchObject({ kind: 'fault' });
    expect(readValue(columnOf('id'), '2x')).toMatchObject({ kind: 'fault' });
    expect(readValue(columnOf('name'), '')).toEqual({ kind: 'value', value: '' });
  });

  it('a clipboard block is pasted over the existing rows', () => {
    const rows = [{ id: '1', path: '1', values: {}, etag: null, isNew: false }];
    const { pasted, rejected } = pasteCells(
      'ada\t2.50\tx\nida\t3\n',
      { row: 0, column: 1 },
      rows,
      users.columns.slice(0, 3),
    );
    expect(pasted.map(({ values }) => values)).toEqual([{ name: 'ada', price: '2.50' }]);
    expect(rejected).toBe(3);
  });

  it('a pasted cell with line breaks stays in its row', () => {
    const rows = ['1', '2'].map((id) => ({ id, path: id, values: {}, etag: null, isNew: false }));
    const paste = (text: string): unknown =>
      pasteCells(text, { row: 0, column: 1 }, rows, users.columns.slice(0, 3)).pasted.map(
        ({ values }) => values,
      );
    expect(paste('"ada\nb"\t2.50\nida\t3\n')).toEqual([
      { name: 'ada\nb', price: '2.50' },
      { name: 'ida', price: '3' },
    ]);
    const [nameColumn] = users.columns.slice(1, 2);
    const copied = writeCells(rows.slice(0, 1), nameColumn ? [nameColumn] : [], () => 'one\ntwo');
    expect(copied).toBe('one\ntwo');
    expect(paste(copied.replace('\n', '\r\n'))).toEqual([{ name: 'one\ntwo' }]);
  });

  it('rows are copied as JSON, SQL, curl and TSV, without values that are not loaded', () => {
    const row = { id: '1', name: "O'Hara\n", price: '2.50', at: '2026-01-31T12:00:00Z' };
    const location = { baseUrl: 'http://h', paths: ['1'] };
    expect(copyRows('sql', users, users.columns, [row], location)).toBe(
      "INSERT INTO `users` (`id`, `name`, `price`, `at`) VALUES (1, 'O''Hara\\n', 2.50, '2026-01-31 12:00:00');",
    );
    expect(
      JSON.parse(
        copyRows(
          'json',
          users,
          users.columns,
          [{ ...row, name: UNREAD, at: new CutValue('a', 9, 'characters') }],
          location,
        ),
      ),
    ).toEqual({ id: 1, price: '2.50' });
    expect(copyRows('curl', users, users.columns, [row], location)).toContain('"http://h/v1/-/users/1"');
    expect(
      copyRows('tsv', users, users.columns.slice(0, 2), [row, { id: '-2', name: '=1+1' }], location),
    ).toBe('id\tname\n1\t"O\'Hara\n"\n-2\t\'=1+1');
  });

  it('the grid reads the sort direction of a column with any name', () => {
    const sort = '-`odd, name`,id';
    expect(['odd, name', 'id', 'odd', 'name'].map((name) => directionOf(sort, name))).toEqual([
      'descending',
      'ascending',
      null,
      null,
    ]);
    expect(directionOf(undefined, 'id')).toBeNull();
  });

  it('the grid lists the tables that reference its table', () => {
    expect(listBackReferences(users, TABLES)).toEqual([
      { name: 'posts', table: 'posts', column: 'user_id', target: 'id' },
    ]);
  });

  it('the grid matches references by whole names, which may contain dots', () => {
    const posts = { name: 'posts', kind: 'to_many', table: 'posts', via: ['user_id'] };
    const tables = readTables([
      { name: 'v1.users', columns: [{ name: 'id.old', type: 'int' }], relationships: [posts] },
      { name: 'v1', relationships: [posts] },
      {
        name: 'posts',
        columns: [{ name: 'user_id', type: 'int', references: { table: 'v1.users', column: 'id.old' } }],
      },
    ]);
    const targets = tables.map((table) => listBackReferences(table, tables).map(({ target }) => target));
    expect(targets).toEqual([['id.old'], [], []]);
  });

  it('the rows page ignores invalid search parameters', () => {
    expect(
      readDataSearch({
        filters: [['a', 'eq', '1'], ['a', 'DROP', '1'], 7],
        sort: '-a',
        columns: ['a', 3],
        row: 5,
        other: 1,
      }),
    ).toEqual({ filters: [['a', 'eq', '1']], sort: '-a', columns: ['a'], row: '5' });
    expect(readDataSearch({ filters: 'x', sort: '', row: '' })).toEqual({});
  });
});
