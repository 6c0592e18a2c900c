import type { RawTable } from './raw-schema.js';

/**
 * Returns the columns that `{id}` addresses: PRIMARY, or else the unique key with the lowest name whose parts
 * are whole NOT NULL columns.
 */
export function findRowKey(table: RawTable): readonly string[] | null {
  if (table.primaryKey !== null && table.primaryKey.length > 0) return table.primaryKey;
  const nullable = new Set(table.columns.filter((column) => column.nullable).map((column) => column.name));
  const candidates = table.indexes
    .filter((index) => index.unique && index.columns.length > 0)
    .filter((index) =>
      index.columns.every(
        (part) => part.name !== null && part.prefixLength === null && !nullable.has(part.name),
      ),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return candidates[0]?.columns.map((part) => part.name ?? '') ?? null;
}
