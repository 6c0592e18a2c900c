import type { DatabaseResponse } from '@rowhouse/contracts';
import { useEffect, useRef, useState } from 'react';
import { readLongValues, type RowPage } from '../../data/rows/read-page.js';
import type { Row } from '../../data/rows/row.js';
import type { TableView } from '../../data/schema/read-tables.js';

export interface LongValues {
  /** Keyed by the text of the row's key. */
  readonly found: ReadonlyMap<string, Row>;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Loads the beginnings of long values page by page, after the rows themselves. */
export function useLongValues(
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
