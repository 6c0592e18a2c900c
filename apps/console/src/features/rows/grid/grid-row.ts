import { makeRowPath } from '../../../data/rows/make-list-path.js';
import type { Row } from '../../../data/rows/cell-text.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import type { Staged } from '../changes/staged-changes.js';

/** A row of the grid: a stored record, or a new one that is not saved yet. */
export interface GridRow {
  readonly id: string;
  /** The path of the record below its table. Null for a new record, or if the table has no key. */
  readonly path: string | null;
  readonly values: Row;
  readonly etag: string | null;
  readonly isNew: boolean;
}

/** Returns the new rows that are not saved yet. */
export function listNewRows(staged: Staged): GridRow[] {
  return staged.changes
    .filter((change) => change.kind === 'insert')
    .map((change) => ({ id: change.id, path: null, values: change.values, etag: null, isNew: true }));
}

/**
 * Returns a function that converts stored records to grid rows. For the same record, it returns the same
 * object, so that existing rows are not rendered again.
 */
export function createGridRows(table: TableView): (stored: readonly Row[]) => GridRow[] {
  const created = new WeakMap<Row, GridRow>();
  return (stored) =>
    stored.map((values, index) => {
      const row = created.get(values) ?? toGridRow(table, values, index);
      created.set(values, row);
      return row;
    });
}

/** Converts a stored record into a grid row. If the table has no key, `index` identifies the row. */
export function toGridRow(table: TableView, values: Row, index: number): GridRow {
  const path = makeRowPath(table, values);
  return {
    id: path ?? `#${index}`,
    path,
    values,
    etag: typeof values['_etag'] === 'string' ? values['_etag'] : null,
    isNew: false,
  };
}
