import type { DatabaseResponse } from '@rowhouse/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { UNREAD } from '../../data/rows/cell-text.js';
import type { ListRequest } from '../../data/rows/make-list-path.js';
import { keyTextOf } from '../../data/rows/make-previews-query.js';
import { rowsQuery } from '../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import type { GridRow } from './grid-row.js';
import { useLongValues } from './use-long-values.js';

/** Returns the loaded rows of a list, with the beginnings of long values. */
export function useTableRows(
  database: DatabaseResponse,
  table: TableView,
  request: ListRequest,
  visible: readonly string[],
) {
  const query = rowsQuery(database, table, request);
  const list = useInfiniteQuery(query);
  const pages = useMemo(() => list.data?.pages ?? [], [list.data]);
  const stored = useMemo(() => pages.flatMap((page) => page.rows), [pages]);
  const long = useLongValues(database, table, visible, pages);
  const readStored = useCallback(
    (row: GridRow, column: ColumnView): unknown => {
      const value = row.values[column.name];
      if (value !== UNREAD) return value;
      const found = long.found.get(keyTextOf(table, row.values));
      // NULL is a loaded value.
      return found !== undefined && column.name in found ? found[column.name] : UNREAD;
    },
    [long.found, table],
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  /** Whether every row of the list is loaded. Lists that are paged by offset have a maximum length. */
  const isComplete = pages.at(-1)?.hasMore === false;
  return { list, listKey: query.queryKey, stored, isWhole: isComplete, long, readStored, readOn };
}

export type TableRead = ReturnType<typeof useTableRows>;
