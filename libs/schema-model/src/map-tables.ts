import type { Steps } from './steps.js';

/** The number of columns per step, which takes a few milliseconds. */
const COLUMNS_PER_STEP = 200;

/** Applies `make` to each table, a few hundred columns per step. */
export function* mapTables<S extends { readonly columns: readonly unknown[] }, T>(
  tables: readonly S[],
  make: (table: S) => T,
): Steps<T[]> {
  const created: T[] = [];
  let columns = 0;
  for (const table of tables) {
    created.push(make(table));
    columns += table.columns.length;
    if (columns < COLUMNS_PER_STEP) continue;
    columns = 0;
    yield;
  }
  return created;
}
