import type { Column, Table } from '@rowhouse/schema-model';

/** Columns of a table that each refer to the rows of another one by themselves. */
export function listKeyColumns(table: Table, to: Table): readonly Column[] {
  return table.foreignKeys.filter((key) => key.referencedTable === to.name && key.columns.length === 1).flatMap((key) => table.columns.filter((column) => column.name === key.columns[0]));
}
