import type { CellPosition } from './move-active.js';

/**
 * Returns the position of the cell that contains an element, from the attributes of the cell and its row.
 * Returns null for the header and the checkboxes.
 */
export function readCellPosition(target: EventTarget): CellPosition | null {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  if (cell === null) return null;
  const [row, column] = [readPageStart(cell), Number(cell.getAttribute('aria-colindex')) - 2];
  return row < 0 || column < 0 ? null : { row, column };
}

/** Returns the position of the row that contains an element, starting at 0, or -1 for the header. */
export function readPageStart(element: Element): number {
  return Number(element.closest('[role="row"]')?.getAttribute('aria-rowindex') ?? 1) - 2;
}
