import type { ColumnView } from '../../data/schema/read-tables.js';
import type { GridRow } from './grid-row.js';
import type { CellPosition } from './move-active.js';
import { readValue } from './read-value.js';

export interface PastedRow {
  readonly row: GridRow;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Pastes clipboard text in the format of spreadsheets into the grid, starting at a cell. `rejected` is the
 * number of cells that do not accept their value.
 */
export function pasteCells(
  text: string,
  position: CellPosition,
  rows: readonly GridRow[],
  columns: readonly ColumnView[],
): { readonly pasted: readonly PastedRow[]; readonly refused: number } {
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  let rejected = 0;
  const pasted = lines.flatMap((cells, down) => {
    const row = rows[position.row + down];
    if (row === undefined || (row.path === null && !row.isNew)) {
      rejected += cells.length;
      return [];
    }
    const values: Record<string, unknown> = {};
    cells.forEach((cell, right) => {
      const column = columns[position.column + right];
      const read = column === undefined || column.isGenerated ? null : readValue(column, cell);
      if (column === undefined || read?.kind !== 'value') rejected += 1;
      else values[column.name] = read.value;
    });
    return Object.keys(values).length === 0 ? [] : [{ row, values }];
  });
  return { pasted, refused: rejected };
}
