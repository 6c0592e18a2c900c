import type { Column, Table } from '@rowhouse/schema-model';

/** Returns whether the column only identifies or relates rows, so that sums of it are meaningless. */
export function isKey(table: Table, column: Column): boolean {
  return (
    table.primaryKey?.includes(column.name) === true ||
    table.foreignKeys.some((key) => key.columns.includes(column.name))
  );
}
