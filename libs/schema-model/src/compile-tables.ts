import type { CompiledSnapshot, CompiledTable } from './compiled-snapshot.js';
import type { Steps } from './steps.js';

/** The number of columns per step, which takes one or two milliseconds. */
const COLUMNS_PER_STEP = 500;

/**
 * Returns all tables that the rights show, by name in code-unit order. Each step compiles a few hundred
 * columns that were not compiled before.
 */
export function* compileTablesSteps(compiled: CompiledSnapshot): Steps<CompiledTable[]> {
  const tables: CompiledTable[] = [];
  let columns = 0;
  for (const name of compiled.tableNames) {
    const table = compiled.findByName(name);
    if (table === null) continue;
    tables.push(table);
    columns += table.columns.length;
    if (columns < COLUMNS_PER_STEP) continue;
    columns = 0;
    yield;
  }
  return tables;
}
