import type { DatabaseResponse } from '@rowhouse/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Row, UNREAD } from '../../data/rows/cell-text.js';
import type { ListRequest } from '../../data/rows/make-list-path.js';
import { keyTextOf } from '../../data/rows/make-previews-query.js';
import { rowsQuery } from '../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import type { GridRow } from './grid/grid-row.js';
import { readLongValues, type RowPage } from '../../data/rows/read-page.js';

interface LongValues {
  /** The beginnings of long values, by the row's key as text. */
  readonly found: ReadonlyMap<string, Row>;
  readonly error: unknown;
  readonly retry: () => void;
}
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
      // The operator `in` is used, because NULL is a loaded value too.
      return found !== undefined && column.name in found ? found[column.name] : UNREAD;
    },
    [long.found, table],
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  /** Whether all rows of the list are loaded. A list that is paged by offset has a maximum length. */
  const isComplete = pages.at(-1)?.hasMore === false;
  return { list, listKey: query.queryKey, stored, isWhole: isComplete, long, readStored, readOn };
}

export type TableRead = ReturnType<typeof useTableRows>;

/** Loads the beginnings of long values page by page, after the rows without them. */
function useLongValues(
  database: DatabaseResponse,
  table: TableView,
  visible: readonly string[],
  pages: readonly RowPage[],
): LongValues {
  const [found, setFound] = useState<ReadonlyMap<string, Row>>(new Map());
  const [error, setError] = useState<unknown>(null);
  const requested = useRef(new Map<RowPage, string>());
  const columns = visible.join('\u0000');
  useEffect(() => {
    for (const page of pages) {
      if (requested.current.get(page) === columns) continue;
      requested.current.set(page, columns);
      readLongValues(database, table, columns.split('\u0000'), page.rows).then(
        (more) => {
          if (more.size > 0)
            setFound(
              (old) =>
                new Map([
                  ...old,
                  ...[...more].map(([key, values]) => [key, { ...old.get(key), ...values }] as const),
                ]),
            );
        },
        (error: unknown) => {
          requested.current.delete(page);
          setError(error);
        },
      );
    }
  }, [database, table, columns, pages, error]);
  return { found, error, retry: () => setError(null) };
}
