import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

/** Columns that no two records of the table share, by which every list of it ends: its row key; null where none is known. */
export function findOrderKey(table: CompiledTable): readonly CompiledColumn[] | null {
  return table.rowKey;
}
