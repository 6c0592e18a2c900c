import type { ForeignKey } from './types.js';

/** A table with its columns and foreign keys. */
interface KeyedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
  readonly foreignKeys: readonly Pick<ForeignKey, 'name' | 'referencedTable' | 'referencedColumns'>[];
}

/**
 * Finds a foreign key whose referenced table or column does not exist. Servers only accept such a key while
 * key checks are off. Returns null without such a key.
 */
export function findDanglingKey(
  tables: readonly KeyedTable[],
): { readonly table: string; readonly key: KeyedTable['foreignKeys'][number] } | null {
  const columns = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  for (const { name: table, foreignKeys } of tables) {
    const key = foreignKeys.find(
      ({ referencedTable, referencedColumns }) =>
        !referencedColumns.every((column) => columns.get(referencedTable)?.has(column)),
    );
    if (key !== undefined) return { table, key };
  }
  return null;
}
