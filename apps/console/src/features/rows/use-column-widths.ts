import { useCallback, useMemo } from 'react';
import { widthOf } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import { useKept } from '../../ui/use-kept.js';

const NONE = {};

/** Returns the column widths stored in this browser. */
export function useColumnWidths(databaseId: string, table: string, columns: readonly ColumnView[]): [readonly number[], (column: ColumnView, width: number) => void] {
  const [kept, setKept] = useKept<Readonly<Record<string, number>>>(`rowhouse-widths-${databaseId}-${table}`, NONE);
  const widths = useMemo(() => columns.map((column) => kept[column.name] ?? widthOf(column)), [columns, kept]);
  const resize = useCallback((column: ColumnView, width: number) => setKept((old) => ({ ...old, [column.name]: width })), [setKept]);
  return [widths, resize];
}
