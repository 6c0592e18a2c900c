import type { ColumnView } from '../../data/schema/read-tables.js';
import type { Span } from './grid-geometry.js';

export interface ShownColumn {
  readonly column: ColumnView;
  /** The position among all columns. */
  readonly at: number;
  readonly width: number;
}

/** The rendered columns and their positions. */
export interface ShownColumns {
  readonly list: readonly ShownColumn[];
  /**
   * The pixels from the start of all columns to the first rendered one, and the width of the rendered ones.
   */
  readonly offset: number;
  readonly breadth: number;
}

export function listShownColumns(
  columns: readonly ColumnView[],
  widths: readonly number[],
  starts: readonly number[],
  span: Span,
): ShownColumns {
  const list = columns
    .slice(span.from, span.to)
    .map((column, nth) => ({ column, at: span.from + nth, width: widths[span.from + nth] ?? 0 }));
  const offset = starts[span.from] ?? 0;
  return { list, offset, breadth: list.reduce((sum, { width }) => sum + width, 0) };
}
