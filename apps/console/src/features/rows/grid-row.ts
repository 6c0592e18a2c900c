import { makeRowPath } from '../../data/rows/make-list-path.js';
import type { Row } from '../../data/rows/row.js';
import type { TableView } from '../../data/schema/read-tables.js';
import type { Staged } from './staged-changes.js';

/** A line of the grid: a stored record, or one that waits to be created. */
export interface GridRow {
  readonly id: string;
  /** Of the record below its table; null of one that is new, or that has no key. */
  readonly path: string | null;
  readonly values: Row;
  readonly etag: string | null;
  readonly isNew: boolean;
}

/** Rows that wait to be created. */
export function listNewRows(staged: Staged): GridRow[] {
  return staged.changes.filter((change) => change.kind === 'insert').map((change) => ({ id: change.id, path: null, values: change.values, etag: null, isNew: true }));
}

/** Makes lines of stored records: the same line of the same record each time, so that nothing is drawn anew for those that were read before. */
export function createGridRows(table: TableView): (stored: readonly Row[]) => GridRow[] {
  const made = new WeakMap<Row, GridRow>();
  return (stored) => stored.map((values, at) => {
    const row = made.get(values) ?? toGridRow(table, values, at);
    made.set(values, row);
    return row;
  });
}

/** `at` tells rows of a table without a key apart. */
export function toGridRow(table: TableView, values: Row, at: number): GridRow {
  const path = makeRowPath(table, values);
  return { id: path ?? `#${at}`, path, values, etag: typeof values['_etag'] === 'string' ? values['_etag'] : null, isNew: false };
}
