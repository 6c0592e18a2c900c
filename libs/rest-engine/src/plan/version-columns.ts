import { memoizeByObject, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';

/**
 * Returns the columns that determine a record's version. These are all columns that are not generated,
 * including hidden ones. The values of generated columns follow from them.
 */
export const versionColumns = memoizeByObject((table: CompiledTable): readonly CompiledColumn[] =>
  table.columns.filter((column) => column.generated === null),
);
