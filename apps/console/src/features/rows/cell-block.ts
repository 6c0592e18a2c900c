import { CutValue, toCellText, UNREAD } from '../../data/rows/cell-text.js';
import { writeTsv } from '../../data/rows/write-tsv.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import type { Span } from './grid-geometry.js';
import type { GridRow } from './grid-row.js';
import type { CellPosition } from './move-active.js';

/** The cells between two corners, both included. */
export interface CellBlock {
  readonly rows: Span;
  readonly columns: Span;
}

export function spanBlock(cellPosition: CellPosition, other: CellPosition): CellBlock {
  return {
    rows: spanBetween(cellPosition.row, other.row),
    columns: spanBetween(cellPosition.column, other.column),
  };
}

function spanBetween(item: number, other: number): Span {
  return { from: Math.min(item, other), to: Math.max(item, other) + 1 };
}

/**
 * Returns cells as clipboard text. A single cell is its plain value. Several cells are lines that another
 * grid pastes unchanged.
 */
export function writeCells(
  rows: readonly GridRow[],
  columns: readonly ColumnView[],
  readCell: (row: GridRow, column: ColumnView) => unknown,
): string {
  const [row, column] = [rows[0], columns[0]];
  if (rows.length === 1 && columns.length === 1 && row && column) return toText(readCell(row, column));
  return writeTsv(rows.map((gridRow) => columns.map((each) => toText(readCell(gridRow, each)))));
}

/** Returns the loaded part of a long value, and nothing for a value that is not loaded. */
function toText(value: unknown): string {
  if (value === UNREAD) return '';
  return value instanceof CutValue ? value.start : toCellText(value);
}
