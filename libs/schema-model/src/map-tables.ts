import type { Steps } from './steps.js';

/** Some milliseconds of work. */
const COLUMNS_PER_STEP = 200;

/** What `make` makes of each table, some hundred columns in a step. */
export function* mapTables<S extends { readonly columns: readonly unknown[] }, T>(tables: readonly S[], make: (table: S) => T): Steps<T[]> {
  const made: T[] = [];
  let columns = 0;
  for (const table of tables) {
    made.push(make(table));
    columns += table.columns.length;
    if (columns < COLUMNS_PER_STEP) continue;
    columns = 0;
    yield;
  }
  return made;
}
