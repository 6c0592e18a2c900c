import type { Column, Table } from '@rowhouse/schema-model';

/** Returns the columns that are single-column foreign keys to the other table. */
export function listKeyColumns(table: Table, to: Table): readonly Column[] {
  return table.foreignKeys
    .filter((key) => key.referencedTable === to.name && key.columns.length === 1)
    .flatMap((key) => table.columns.filter((column) => column.name === key.columns[0]));
}
