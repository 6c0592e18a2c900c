import type { CellPlace } from './move-active.js';

/** Pixels: what every row, the names above them and the boxes before them measure. All of it is fixed, so that where something stands is arithmetic. */
export const ROW_HEIGHT = 33;
export const HEADER_HEIGHT = 46;
export const PICK_WIDTH = 44;
/** A column is never narrower. */
export const WIDTH_MIN = 60;

/** Drawn beyond what is in view, so that scrolling meets rows that are there already. */
const ROWS_BEYOND = 6;
const COLUMNS_BEYOND = 1;
/** A span of rows begins at multiples of this: it changes once for several rows scrolled, and not with each frame. */
const ROWS_STEP = 3;

/** A part of a list: from the first index up to, and without, the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Rows to be drawn: as many at every place, so that what draws a row that goes out at one end can draw the one that comes in at
 * the other. They may reach beyond the last row: the span does not know how many there are.
 */
export function findRowSpan(scrollTop: number, viewHeight: number): Span {
  const first = Math.floor(scrollTop / ROW_HEIGHT);
  const from = Math.max(0, Math.floor((first - ROWS_BEYOND) / ROWS_STEP) * ROWS_STEP);
  const seen = Math.ceil(Math.max(0, viewHeight - HEADER_HEIGHT) / ROW_HEIGHT) + 1;
  return { from, to: from + seen + 2 * ROWS_BEYOND + ROWS_STEP };
}

/** A row that is drawn, and by which of the elements. */
export interface DrawnRow {
  readonly slot: number;
  readonly at: number;
}

/**
 * Rows of a span, of `count` in all, in the order of the document: that of their elements, beginning with the one of the row
 * `first`. While this stays the same, scrolling moves no element; where it is the first of the span, rows stand in their order.
 */
export function listDrawnRows({ from, to }: Span, first: number, count: number): readonly DrawnRow[] {
  const size = to - from;
  const drawn: DrawnRow[] = [];
  for (let nth = 0; nth < size; nth += 1) {
    const slot = (first + nth) % size;
    const at = from + ((slot - (from % size) + size) % size);
    if (at < count) drawn.push({ slot, at });
  }
  return drawn;
}

/**
 * Columns to be drawn, of those that `starts` tells of. The first one in view decides on all of them, so that going on to the next
 * column is one change, with as little new in it as can be.
 */
export function findColumnSpan(scrollLeft: number, viewWidth: number, starts: readonly number[]): Span {
  const count = starts.length - 1;
  const first = findAt(starts, scrollLeft);
  // As far as is in view when almost all of the first has gone.
  const last = findAt(starts, (starts[first + 1] ?? 0) + Math.max(0, viewWidth - PICK_WIDTH - 1));
  return { from: Math.max(0, first - COLUMNS_BEYOND), to: Math.min(count, last + 1 + COLUMNS_BEYOND) };
}

/** Where each column begins, behind the boxes; and at the end, how wide all of them are. */
export function sumWidths(widths: readonly number[]): readonly number[] {
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
}

/** The offset to scroll to for a part of the content to be in view; the present one where it is. */
export function revealPart(offset: number, viewLength: number, start: number, end: number): number {
  if (start < offset) return start;
  return end > offset + viewLength ? Math.min(start, end - viewLength) : offset;
}

/** How far something is scrolled, and how much of it is seen. */
export interface Scrolled {
  readonly scrollTop: number;
  readonly scrollLeft: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
}

/** Whether any of a cell is seen. */
export function isInView({ scrollTop, scrollLeft, clientWidth, clientHeight }: Scrolled, starts: readonly number[], { row, column }: CellPlace): boolean {
  const [top, left, right] = [row * ROW_HEIGHT, starts[column] ?? 0, starts[column + 1] ?? 0];
  return top + ROW_HEIGHT > scrollTop && top < scrollTop + clientHeight - HEADER_HEIGHT && right > scrollLeft && left < scrollLeft + clientWidth - PICK_WIDTH;
}

/** The last column that begins at or before this place. */
function findAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
