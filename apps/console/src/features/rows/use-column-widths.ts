import { useCallback, useMemo } from 'react';
import { widthOf } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import { usePersistedState } from '../../ui/use-persisted-state.js';

const NONE = {};

/** Returns the column widths stored in this browser. */
export function useColumnWidths(
  databaseId: string,
  table: string,
  columns: readonly ColumnView[],
): [readonly number[], (column: ColumnView, width: number) => void] {
  const [persisted, setPersisted] = usePersistedState<Readonly<Record<string, number>>>(
    `rowhouse-widths-${databaseId}-${table}`,
    NONE,
  );
  const widths = useMemo(
    () => columns.map((column) => persisted[column.name] ?? widthOf(column)),
    [columns, persisted],
  );
  const resize = useCallback(
    (column: ColumnView, width: number) => setPersisted((old) => ({ ...old, [column.name]: width })),
    [setPersisted],
  );
  return [widths, resize];
}
