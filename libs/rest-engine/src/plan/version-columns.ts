import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

const columnsByTable = new WeakMap<CompiledTable, readonly CompiledColumn[]>();

/**
 * Returns the columns that determine a record's version. These are all stored columns, including hidden ones,
 * because generated columns follow from them.
 */
export function versionColumns(table: CompiledTable): readonly CompiledColumn[] {
  let columns = columnsByTable.get(table);
  if (columns === undefined) {
    columns = table.columns.filter((column) => column.generated === null);
    columnsByTable.set(table, columns);
  }
  return columns;
}
