import type { CellPlace } from './move-active.js';

/** The place of the cell that something within the grid belongs to, as its row and itself tell; null for names and boxes. */
export function readCellPlace(target: EventTarget): CellPlace | null {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  if (cell === null) return null;
  const [row, column] = [readRowPlace(cell), Number(cell.getAttribute('aria-colindex')) - 2];
  return row < 0 || column < 0 ? null : { row, column };
}

/** The place of the row that an element stands in, from 0; -1 in that of the names. */
export function readRowPlace(element: Element): number {
  return Number(element.closest('[role="row"]')?.getAttribute('aria-rowindex') ?? 1) - 2;
}
