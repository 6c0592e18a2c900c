/** The number of columns that are processed in each step, which takes a few milliseconds. */
const COLUMNS_PER_STEP = 200;
/** Work that is divided into steps by `yield`. The caller may let other tasks run between the steps. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps without pauses. */
export function doSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs all steps, and awaits `pause` between them. Rejects with the error that a step throws. */
export async function runStepsInSlices<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}

/** Calls `make` for each table and returns the results. Yields after every few hundred columns. */
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
