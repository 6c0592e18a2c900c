import { expect, it } from 'vitest';
import { CutValue, UNREAD } from '../../../data/rows/cell-text.js';
import { readTables } from '../../../data/schema/read-tables.js';
import { spanBlock, writeCells } from './cell-block.js';
import type { GridRow } from './grid-row.js';

const columns =
  readTables([
    {
      name: 't',
      primary_key: ['id'],
      columns: [
        { name: 'id', type: 'int', value_kind: 'integer' },
        { name: 'note', type: 'text', value_kind: 'string' },
      ],
    },
  ])[0]?.columns ?? [];
const toRow = (id: string, note: unknown): GridRow => ({
  id,
  path: id,
  values: { id, note },
  etag: null,
  isNew: false,
});
const readCell = (row: GridRow, column: { name: string }) => row.values[column.name];

it('a selected block contains the same cells from either corner', () => {
  const block = { rows: { from: 2, to: 6 }, columns: { from: 1, to: 4 } };
  expect(spanBlock({ row: 2, column: 3 }, { row: 5, column: 1 })).toEqual(block);
  expect(spanBlock({ row: 5, column: 1 }, { row: 2, column: 3 })).toEqual(block);
});

it('a copied cell is plain text, and a copied block keeps its cell positions', () => {
  const rows = [toRow('1', 'two\nlines'), toRow('2', '=a\tb')];
  expect(writeCells(rows.slice(0, 1), columns.slice(1), readCell)).toBe('two\nlines');
  expect(writeCells(rows, columns, readCell)).toBe('1\t"two\nlines"\n2\t"=a\tb"');
});

it('a copied cell contains the loaded part of its value', () => {
  expect(
    writeCells(
      [toRow('1', new CutValue('long', 900, 'characters')), toRow('2', UNREAD), toRow('3', null)],
      columns,
      readCell,
    ),
  ).toBe('1\tlong\n2\t\n3\t');
});
