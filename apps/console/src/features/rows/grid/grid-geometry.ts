import type { CellPosition } from './cell-position.js';

/**
 * The heights of the rows and the header, and the width of the checkboxes, in pixels. The width includes the
 * button that opens a row. The sizes are fixed, so that all positions can be calculated.
 */
export const ROW_HEIGHT = 33;
export const HEADER_HEIGHT = 46;
export const PICK_WIDTH = 68;
/** The minimum width of a column, in pixels. */
export const WIDTH_MIN = 60;

/**
 * The number of rows that are rendered above and below the visible ones, so that scrolling shows rows that
 * already exist.
 */
const ROWS_BEYOND = 6;
const COLUMNS_BEYOND = 1;
/**
 * The range of rendered rows starts at a multiple of this number. It therefore changes once for several
 * scrolled rows, and not with each frame.
 */
const ROWS_STEP = 3;

/** A range of a list. It includes the index `from` and excludes the index `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the rows to render. Their number is constant, so that elements are reused while scrolling. The
 * range may extend beyond the last row.
 */
export function findRowSpan(scrollTop: number, viewHeight: number): Span {
  const first = Math.floor(scrollTop / ROW_HEIGHT);
  const from = Math.max(0, Math.floor((first - ROWS_BEYOND) / ROWS_STEP) * ROWS_STEP);
  const seen = Math.ceil(Math.max(0, viewHeight - HEADER_HEIGHT) / ROW_HEIGHT) + 1;
  return { from, to: from + seen + 2 * ROWS_BEYOND + ROWS_STEP };
}

/** A rendered row, and the number of the element that shows it. */
export interface DrawnRow {
  readonly slot: number;
  readonly index: number;
}

/**
 * Returns the rows of a range in the order of their elements in the document. The order starts with the
 * element of the row `first`. While `first` stays the same, no element moves in the document when the user
 * scrolls. If `first` is the start of the range, the rows are in their natural order. Rows from `count` on do
 * not exist.
 */
export function listDrawnRows({ from, to }: Span, first: number, count: number): readonly DrawnRow[] {
  const size = to - from;
  const drawn: DrawnRow[] = [];
  for (let nth = 0; nth < size; nth += 1) {
    const slot = (first + nth) % size;
    const index = from + ((slot - (from % size) + size) % size);
    if (index < count) drawn.push({ slot, index });
  }
  return drawn;
}

/**
 * Returns the range of columns to render, given where each column starts. It depends only on the first
 * visible column. Scrolling to the next column is therefore a single change with few new cells.
 */
export function findColumnSpan(scrollLeft: number, viewWidth: number, starts: readonly number[]): Span {
  const count = starts.length - 1;
  const first = findAt(starts, scrollLeft);
  // The range also includes the columns that become visible before the first column is scrolled out.
  const last = findAt(starts, (starts[first + 1] ?? 0) + Math.max(0, viewWidth - PICK_WIDTH - 1));
  return { from: Math.max(0, first - COLUMNS_BEYOND), to: Math.min(count, last + 1 + COLUMNS_BEYOND) };
}

/** Returns the start of each column after the checkboxes, followed by the total width. */
export function sumWidths(widths: readonly number[]): readonly number[] {
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
}

/**
 * Returns the scroll offset at which a part of the content is visible. If it is already visible, this is the
 * current offset.
 */
export function revealPart(offset: number, viewLength: number, start: number, end: number): number {
  if (start < offset) return start;
  return end > offset + viewLength ? Math.min(start, end - viewLength) : offset;
}

/** The scroll position and the visible size of an element. */
export interface Scrolled {
  readonly scrollTop: number;
  readonly scrollLeft: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
}

/** Returns whether any part of a cell is visible. */
export function isInView(
  { scrollTop, scrollLeft, clientWidth, clientHeight }: Scrolled,
  starts: readonly number[],
  { row, column }: CellPosition,
): boolean {
  const [top, remaining, right] = [row * ROW_HEIGHT, starts[column] ?? 0, starts[column + 1] ?? 0];
  return (
    top + ROW_HEIGHT > scrollTop &&
    top < scrollTop + clientHeight - HEADER_HEIGHT &&
    right > scrollLeft &&
    remaining < scrollLeft + clientWidth - PICK_WIDTH
  );
}

/** Returns the last column that starts at or before this position. */
function findAt(starts: readonly number[], index: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
