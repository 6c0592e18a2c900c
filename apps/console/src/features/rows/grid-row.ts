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

/** New rows first, then what was read, in its order. */
export function listGridRows(table: TableView, stored: readonly Row[], staged: Staged): GridRow[] {
  const created = staged.changes.filter((change) => change.kind === 'insert').map((change) => ({ id: change.id, path: null, values: change.values, etag: null, isNew: true }));
  return [...created, ...stored.map((values, at) => toGridRow(table, values, at))];
}

/** `at` tells rows of a table without a key apart. */
export function toGridRow(table: TableView, values: Row, at: number): GridRow {
  const path = makeRowPath(table, values);
  return { id: path ?? `#${at}`, path, values, etag: typeof values['_etag'] === 'string' ? values['_etag'] : null, isNew: false };
}
