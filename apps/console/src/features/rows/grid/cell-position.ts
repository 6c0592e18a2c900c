/** The position of a cell by row and column, starting at 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** The number of rows that are visible, by which Page Up and Page Down move. */
  readonly pageRows: number;
}

/** Returns the cell that a key moves to, or null for keys that do not move. */
export function moveActive(
  from: CellPosition,
  key: string,
  isControl: boolean,
  size: GridSize,
): CellPosition | null {
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  const to = ((): CellPosition | null => {
    switch (key) {
      case 'ArrowUp':
        return { ...from, row: isControl ? 0 : from.row - 1 };
      case 'ArrowDown':
        return { ...from, row: isControl ? lastRow : from.row + 1 };
      case 'ArrowLeft':
        return { ...from, column: isControl ? 0 : from.column - 1 };
      case 'ArrowRight':
        return { ...from, column: isControl ? lastColumn : from.column + 1 };
      case 'PageUp':
        return { ...from, row: from.row - size.pageRows };
      case 'PageDown':
        return { ...from, row: from.row + size.pageRows };
      case 'Home':
        return { row: isControl ? 0 : from.row, column: 0 };
      case 'End':
        return { row: isControl ? lastRow : from.row, column: lastColumn };
      default:
        return null;
    }
  })();
  return to === null ? null : { row: clamp(to.row, lastRow), column: clamp(to.column, lastColumn) };
}

function clamp(value: number, maximum: number): number {
  return Math.max(0, Math.min(value, maximum));
}

/**
 * Returns the position of the cell that contains an element. Returns null for the header and the checkboxes.
 */
export function readCellPosition(target: EventTarget): CellPosition | null {
  const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
  if (cell === null) return null;
  const [row, column] = [readRowIndex(cell), Number(cell.getAttribute('aria-colindex')) - 2];
  return row < 0 || column < 0 ? null : { row, column };
}

/** Returns the zero-based row that contains an element, or -1 for the header. */
export function readRowIndex(element: Element): number {
  return Number(element.closest('[role="row"]')?.getAttribute('aria-rowindex') ?? 1) - 2;
}
