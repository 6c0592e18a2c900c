import type { Column, Table } from '@rowhouse/schema-model';

/** Is this a column that only tells rows apart, or ties them? Nobody sums those up. */
export function isKey(table: Table, column: Column): boolean {
  return table.primaryKey?.includes(column.name) === true || table.foreignKeys.some((key) => key.columns.includes(column.name));
}
