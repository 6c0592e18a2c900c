import type { CompiledSnapshot, CompiledTable } from './compiled-snapshot.js';
import type { Steps } from './steps.js';

/** A millisecond or two of work. */
const COLUMNS_PER_STEP = 500;

/** All tables that the rights show, by their names in code-unit order; some hundred columns are compiled in each step, as far as they were not before. */
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
