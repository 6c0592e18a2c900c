import type { DatabaseResponse } from '@rowhouse/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { toApiError } from '../../../data/client/api-error.js';
import type { Row } from '../../../data/rows/cell-text.js';
import { recordQuery } from '../../../data/rows/queries.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import { showToast } from '../../../ui/notices/toasts.js';
import { findChange, type Staged } from '../changes/staged-changes.js';
import type { GridRow } from '../grid/grid-row.js';

/**
 * Returns the values of a row with its unsaved changes, for a new row. The row is loaded, because the grid has
 * only parts of some values. Returns null after showing an error if the row cannot be loaded.
 */
export async function loadCopy(
  queries: QueryClient,
  database: DatabaseResponse,
  table: TableView,
  staged: Staged,
  row: GridRow,
): Promise<Row | null> {
  const change = findChange(staged, row.id);
  const unsaved = change === undefined || change.kind === 'delete' ? {} : change.values;
  try {
    const stored =
      row.path === null ? {} : (await queries.fetchQuery(recordQuery(database, table, row.path))).values;
    return copyValues(table, { ...stored, ...unsaved });
  } catch (error) {
    const { message, requestId } = toApiError(error);
    showToast({ text: `Couldn’t load the row to duplicate. ${message}`, tone: 'brick', requestId });
    return null;
  }
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
