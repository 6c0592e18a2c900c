import type { CompiledSnapshot, CompiledTable, Steps, Table } from '@rowhouse/schema-model';

/** A millisecond or two of work. */
const COLUMNS_PER_STEP = 500;

/** Tables and columns as the key sees them, some hundred columns in a step: what it may not read must not even be a word, nor the far end of a foreign key. */
export function* listReadableSteps(compiled: CompiledSnapshot): Steps<Table[]> {
  const tables: Table[] = [];
  let columns = 0;
  for (const name of compiled.tableNames) {
    const found = compiled.findByName(name);
    if (found === null || !found.verbs.includes('read')) continue;
    tables.push(maskTable(found, compiled));
    columns += found.columns.length;
    if (columns < COLUMNS_PER_STEP) continue;
    columns = 0;
    yield;
  }
  return tables;
}

function maskTable({ source: table, shown: columns }: CompiledTable, compiled: CompiledSnapshot): Table {
  const shown = new Set(columns.map((column) => column.name));
  const isShown = (names: readonly string[]): boolean => names.every((column) => shown.has(column));
  const isReachable = (far: string, names: readonly string[]): boolean => {
    const target = compiled.findByName(far);
    return target !== null && target.verbs.includes('read') && names.every((column) => target.findColumn(column) !== null);
  };
  return {
    ...table,
    columns: table.columns.filter((column) => shown.has(column.name)),
    primaryKey: table.primaryKey !== null && isShown(table.primaryKey) ? table.primaryKey : null,
    foreignKeys: table.foreignKeys.filter((key) => isShown(key.columns) && isReachable(key.referencedTable, key.referencedColumns)),
  };
}
