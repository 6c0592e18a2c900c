import { memoizeByObject, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';

/**
 * Returns the columns that determine a record's version. These are all stored columns, including hidden ones,
 * because generated columns follow from them.
 */
export const versionColumns = memoizeByObject((table: CompiledTable): readonly CompiledColumn[] =>
  table.columns.filter((column) => column.generated === null),
);
