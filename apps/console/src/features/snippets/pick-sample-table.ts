import type { TableView } from '../../data/schema/read-tables.js';

const FAVOURITES: readonly string[] = ['posts', 'products', 'orders', 'users'];

/**
 * Returns a table for a user's first read. A table with a well-known name is preferred; otherwise it is the
 * first table. Returns null if the schema has no tables.
 */
export function pickSampleTable(tables: readonly TableView[]): TableView | null {
  for (const name of FAVOURITES) {
    const table = tables.find((candidate) => candidate.name === name);
    if (table) return table;
  }
  return tables.find((table) => table.kind === 'table') ?? tables[0] ?? null;
}

/** Returns a table whose rows can be created on their own, because no required column is a foreign key. */
export function pickWritableTable(tables: readonly TableView[]): TableView | null {
  const free = tables.filter(
    (table) =>
      table.kind === 'table' &&
      table.columns.every(
        (column) => column.references === null || column.nullable || column.default !== null,
      ),
  );
  return free.find((table) => table.name === 'users') ?? free[0] ?? null;
}
