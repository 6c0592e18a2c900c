import { useEffect } from 'react';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { usePersistedState } from '../../ui/controls/use-persisted-state.js';
import type { Span } from './grid/grid-geometry.js';

interface ShownColumn {
  readonly column: ColumnView;
  /** The index of the column among all columns. */
  readonly index: number;
  readonly width: number;
}

/** The rendered columns, with their position in the grid. */
export interface ShownColumns {
  readonly list: readonly ShownColumn[];
  /**
   * The distance in pixels from the start of all columns to the first rendered one, and the total width of
   * the rendered columns.
   */
  readonly offset: number;
  readonly breadth: number;
}

type PutColumns = (names: readonly string[] | null, replaces: boolean) => void;

/**
 * Returns the visible columns of a table in order, or undefined for all columns. If the URL names columns,
 * these are used. Otherwise the selection stored in this browser is used and written to the URL, so that a
 * copied link shows the same columns.
 */
export function usePersistedColumns(
  databaseId: string,
  table: Pick<TableView, 'name' | 'columns'>,
  inAddress: readonly string[] | undefined,
  putInAddress: PutColumns,
): readonly [readonly string[] | undefined, (names: readonly string[] | null) => void] {
  const [persisted, setPersisted] = usePersistedState<readonly string[] | null>(
    `rowhouse-columns-${databaseId}-${table.name}`,
    null,
  );
  const known = pickKnown(persisted, table);
  const isMissing = inAddress === undefined && known !== undefined;
  useEffect(() => {
    if (isMissing) putInAddress(known, true);
  }, [isMissing]);
  const choose = (names: readonly string[] | null): void => {
    setPersisted(names);
    putInAddress(names, true);
  };
  return [inAddress ?? known, choose];
}

/** Returns the stored column names that still exist, in the stored order. */
export function pickKnown(
  persisted: readonly string[] | null,
  { columns }: Pick<TableView, 'columns'>,
): readonly string[] | undefined {
  const names: readonly string[] = Array.isArray(persisted) ? (persisted as readonly string[]) : [];
  const known = names.filter((name) => columns.some((column) => column.name === name));
  return known.length === 0 ? undefined : known;
}

export function listShownColumns(
  columns: readonly ColumnView[],
  widths: readonly number[],
  starts: readonly number[],
  span: Span,
): ShownColumns {
  const list = columns
    .slice(span.from, span.to)
    .map((column, nth) => ({ column, index: span.from + nth, width: widths[span.from + nth] ?? 0 }));
  const offset = starts[span.from] ?? 0;
  return { list, offset, breadth: list.reduce((sum, { width }) => sum + width, 0) };
}
