import type { Column, Table } from '@rowhouse/schema-model';

/** Returns the columns of a table that alone are a foreign key to the other table. */
export function listKeyColumns(table: Table, to: Table): readonly Column[] {
  return table.foreignKeys.filter((key) => key.referencedTable === to.name && key.columns.length === 1).flatMap((key) => table.columns.filter((column) => column.name === key.columns[0]));
}
