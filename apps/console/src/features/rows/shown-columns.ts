import type { ColumnView } from '../../data/schema/read-tables.js';
import type { Span } from './grid-geometry.js';

export interface ShownColumn {
  readonly column: ColumnView;
  /** Its place among all columns. */
  readonly at: number;
  readonly width: number;
}

/** The columns that are drawn, and where they stand. */
export interface ShownColumns {
  readonly list: readonly ShownColumn[];
  /** Pixels from the first of all columns to the first of these, and from there to the end of the last. */
  readonly offset: number;
  readonly breadth: number;
}

export function listShownColumns(columns: readonly ColumnView[], widths: readonly number[], starts: readonly number[], span: Span): ShownColumns {
  const list = columns.slice(span.from, span.to).map((column, nth) => ({ column, at: span.from + nth, width: widths[span.from + nth] ?? 0 }));
  const offset = starts[span.from] ?? 0;
  return { list, offset, breadth: list.reduce((sum, { width }) => sum + width, 0) };
}
