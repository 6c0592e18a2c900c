import { compileTable } from './compile-table.js';
import type { CompiledSnapshot, CompiledTable } from './compiled-snapshot.js';
import { effectiveVerbs } from './compiled-snapshot.js';
import { listUnescapedPaths } from '../naming/name-paths.js';
import type { Rights, Snapshot, Table } from '../types.js';
import { withNumberColumns } from './with-number-columns.js';
import type { Steps } from '../steps.js';

/** The number of columns that are processed in each step, which takes one or two milliseconds. */
const COLUMNS_PER_STEP = 500;

/**
 * Returns the snapshot without everything that `rights` hide. The call is fast, because each table is
 * compiled only when it is first used.
 */
export function compileSnapshot(published: Snapshot, number: number, rights: Rights): CompiledSnapshot {
  const snapshot = withNumberColumns(published, rights.numberColumns);
  const visible = snapshot.tables.filter((table) => effectiveVerbs(rights, table.name) !== null);
  const byName = new Map(visible.map((table) => [table.name, table]));
  // Usually all paths are equal to the names of their tables, so one map is sufficient.
  const byPath = visible.every((table) => table.path === table.name)
    ? byName
    : new Map(visible.map((table) => [table.path, table]));
  const unescaped = listUnescapedPaths(snapshot.tables);
  const compiledTables = new Map<string, CompiledTable>();

  const compile = (table: Table | undefined): CompiledTable | null => {
    if (table === undefined) return null;
    const known = compiledTables.get(table.name);
    if (known !== undefined) return known;
    const compiled = compileTable(table, compiledSnapshot);
    compiledTables.set(table.name, compiled);
    return compiled;
  };
  const compiledSnapshot: CompiledSnapshot = Object.freeze({
    number,
    engine: snapshot.engine,
    rights,
    snapshot,
    tableNames: Object.freeze([...byName.keys()].sort()),
    findByPath: (segment: string) => compile(byPath.get(segment) ?? byName.get(unescaped.get(segment) ?? '')),
    findByName: (name: string) => compile(byName.get(name)),
  });
  return compiledSnapshot;
}

/**
 * Returns all visible tables, sorted by name in UTF-16 code units. It yields after a few hundred columns,
 * because tables that are used for the first time must be compiled.
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
