import type { Column, Snapshot, Steps, Table } from '@rowhouse/schema-model';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Pace } from './pace.js';

/** Last words of number columns that state an amount. */
const AMOUNTS = new Set(['quantity', 'amount', 'number', 'count', 'unit', 'level', 'stock', 'balance', 'hand']);

/**
 * Finds tables that only state amounts of what their keys refer to, and since when:
 * `stock (product_id, warehouse_id, qty)`. Returns the amount column of each.
 */
export function* listAmounts(snapshot: Snapshot, columnWords: ReadonlyMap<Column, readonly string[]>, pace: Pace): Steps<ReadonlyMap<Table, Column>> {
  const found = new Map<Table, Column>();
  for (const table of snapshot.tables) {
    const [column, ...more] = table.columns.filter((one) => !isKey(table, one) && !isCalendar(one));
    const isAmount = column !== undefined && more.length === 0 && table.foreignKeys.length > 0 && isNumeric(column) && column.valueKind !== 'boolean' && AMOUNTS.has(columnWords.get(column)?.at(-1) ?? '');
    if (isAmount) found.set(table, column);
    if (pace(table.columns.length)) yield;
  }
  return found;
}
