import type { Column, Snapshot, Steps, Table } from '@rowhouse/schema-model';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { YieldCheck } from './yield-check.js';
import { wordSet } from '../words/word-set.js';

/** Last words of number columns that state an amount. */
const AMOUNTS = wordSet('quantity amount number count unit level stock balance hand');

/**
 * Finds tables that only state amounts of what their keys refer to, and since when:
 * `stock (product_id, warehouse_id, qty)`. Returns the amount column of each.
 */
export function* listAmounts(
  snapshot: Snapshot,
  columnWords: ReadonlyMap<Column, readonly string[]>,
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<Table, Column>> {
  const found = new Map<Table, Column>();
  for (const table of snapshot.tables) {
    const [column, ...more] = table.columns.filter((column) => !isKey(table, column) && !isCalendar(column));
    const isAmount =
      column !== undefined &&
      more.length === 0 &&
      table.foreignKeys.length > 0 &&
      isNumeric(column) &&
      column.valueKind !== 'boolean' &&
      AMOUNTS.has(columnWords.get(column)?.at(-1) ?? '');
    if (isAmount) found.set(table, column);
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}
