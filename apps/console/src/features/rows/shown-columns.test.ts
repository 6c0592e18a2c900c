import { expect, it } from 'vitest';
import { readTables } from '../../data/schema/read-tables.js';
import { sumWidths } from './grid/grid-geometry.js';
import { listShownColumns } from './use-persisted-columns.js';

const NAMES = ['id', 'name', 'price', 'note'];
const [table] = readTables([
  {
    name: 't',
    primary_key: ['id'],
    columns: NAMES.map((name) => ({ name, type: 'int', value_kind: 'integer' })),
  },
]);
const WIDTHS = [100, 60, 200, 80];
const show = (from: number, to: number) =>
  listShownColumns(table?.columns ?? [], WIDTHS, sumWidths(WIDTHS), { from, to });

it.each([
  [0, 4, NAMES, 0, 440],
  [1, 3, ['name', 'price'], 100, 260],
  [3, 4, ['note'], 360, 80],
  [2, 9, ['price', 'note'], 160, 280],
  [2, 2, [], 160, 0],
] as const)(
  'the grid renders the columns from %i up to %i at their positions',
  (from, to, names, offset, breadth) => {
    const visible = show(from, to);
    expect(visible.list.map(({ column }) => column.name)).toEqual(names);
    expect(visible.list.map(({ index, width }) => [index, width])).toEqual(
      names.map((name) => [NAMES.indexOf(name), WIDTHS[NAMES.indexOf(name)]]),
    );
    expect([visible.offset, visible.breadth]).toEqual([offset, breadth]);
  },
);
