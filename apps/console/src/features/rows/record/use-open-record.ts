import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { toApiError } from '../../../data/client/api-error.js';
import type { Row } from '../../../data/rows/cell-text.js';
import { recordQuery } from '../../../data/rows/queries.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import { showToast } from '../../../ui/notices/toasts.js';
import type { RowEdits } from '../changes/use-row-edits.js';
import { findChange } from '../changes/staged-changes.js';
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
  /** Opens a new row with the values of this one. They are loaded, because the grid has only parts of some. */
  const duplicate = async (row: GridRow): Promise<void> => {
    const change = findChange(edits.history.staged, row.id);
    const unsaved = change === undefined || change.kind === 'delete' ? {} : change.values;
    try {
      const stored =
        row.path === null ? {} : (await queries.fetchQuery(recordQuery(database, table, row.path))).values;
      add(copyValues(table, { ...stored, ...unsaved }));
    } catch (error) {
      const { message, requestId } = toApiError(error);
      showToast({ text: `Couldn’t load the row to duplicate. ${message}`, tone: 'brick', requestId });
    }
  };
  const close = (isOpenInUrl: boolean): void => {
    setNewRow(null);
    if (isOpenInUrl) onSearch({ row: undefined });
  };
  return { newRow, add, open, duplicate: (row: GridRow) => void duplicate(row), close };
}

/**
 * Returns the values that a copy of a row starts with. Values that the database assigns and a key of one
 * column are omitted, because the copy needs its own.
 */
export function copyValues(table: TableView, values: Row): Row {
  const key = table.primaryKey.length === 1 ? table.primaryKey[0] : undefined;
  return Object.fromEntries(
    table.columns
      .filter(({ name, autoIncrement, isGenerated }) => !autoIncrement && !isGenerated && name !== key)
      .filter(({ name }) => values[name] !== undefined)
      .map(({ name }) => [name, values[name]]),
  );
}
