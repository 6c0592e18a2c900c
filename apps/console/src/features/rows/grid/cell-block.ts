import { CutValue, toCellText, UNREAD, writeTsv } from '../../../data/rows/cell-text.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import type { Span } from './grid-geometry.js';
import type { GridRow } from './grid-row.js';
import type { CellPosition } from './cell-position.js';

/** A rectangular block of cells. Both of its corners belong to it. */
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

/** The value of the single cell that was copied last. Pasted again, its line breaks separate no rows. */
let copiedValue: string | null = null;

export function readCopiedValue(): string | null {
  return copiedValue;
}

/**
 * Returns cells as text for the clipboard. A single cell becomes its plain value. Several cells become lines
 * that can be pasted into another grid unchanged.
 */
export function writeCells(
  rows: readonly GridRow[],
  columns: readonly ColumnView[],
  readCell: (row: GridRow, column: ColumnView) => unknown,
): string {
  const [row, column] = [rows[0], columns[0]];
  copiedValue = null;
  if (rows.length === 1 && columns.length === 1 && row && column)
    return (copiedValue = toText(readCell(row, column)));
  return writeTsv(rows.map((gridRow) => columns.map((each) => toText(readCell(gridRow, each)))));
}

/**
 * Returns the text of a value. For a long value, it is the loaded part; for a value that is not loaded, it is
 * empty.
 */
function toText(value: unknown): string {
  if (value === UNREAD) return '';
  return value instanceof CutValue ? value.start : toCellText(value);
}
