import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Row } from '../../../data/rows/cell-text.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import type { RowEdits } from '../changes/use-row-edits.js';
import type { ChangeSearch } from '../data-search.js';
import type { GridRow } from '../grid/grid-row.js';

/** A new row that is open next to the grid. */
export interface NewRow {
  readonly id: string;
  /** The values that the form starts with, if the row is a copy. */
  readonly values: Row;
}

/**
 * The number of rows created since the page was loaded. It gives each new row an id until the row is stored.
 */
let createdCount = 0;

/** Opens and closes the record next to the grid. The URL names a stored record, but not a new one. */
export function useOpenRecord(
  database: DatabaseResponse,
  table: TableView,
  edits: RowEdits,
  onSearch: ChangeSearch,
) {
  const queries = useQueryClient();
  const [newRow, setNewRow] = useState<NewRow | null>(null);
  const add = (values: Row = {}): void => setNewRow({ id: `new-${(createdCount += 1)}`, values });
  const open = useCallback(
    (row: GridRow) => {
      if (row.isNew) setNewRow({ id: row.id, values: {} });
      else if (row.path !== null) onSearch({ row: row.path });
    },
    [onSearch],
  );
  /** Opens a new row with the values of this one. */
  const duplicate = async (row: GridRow): Promise<void> => {
    const { loadCopy } = await import('./copy-row.js');
    const values = await loadCopy(queries, database, table, edits.history.staged, row);
    if (values !== null) add(values);
  };
  const close = (isOpenInUrl: boolean): void => {
    setNewRow(null);
    if (isOpenInUrl) onSearch({ row: undefined });
  };
  return { newRow, add, open, duplicate: (row: GridRow) => void duplicate(row), close };
}
