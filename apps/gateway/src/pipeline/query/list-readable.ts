import {
  compileTablesSteps,
  mapTables,
  type CompiledSnapshot,
  type CompiledTable,
  type Steps,
  type Table,
} from '@rowhouse/schema-model';

/**
 * Lists the tables and columns that the key may read, some hundred columns per step. Questions must not find
 * any other name, not even as the target of a foreign key.
 */
export function* listReadableSteps(compiled: CompiledSnapshot): Steps<Table[]> {
  const readable = (yield* compileTablesSteps(compiled)).filter((table) => table.verbs.includes('read'));
  return yield* mapTables(readable, (table) => maskTable(table, compiled));
}

function maskTable({ source: table, shown: columns }: CompiledTable, compiled: CompiledSnapshot): Table {
  const visible = new Set(columns.map((column) => column.name));
  const isShown = (names: readonly string[]): boolean => names.every((column) => visible.has(column));
  const isReachable = (far: string, names: readonly string[]): boolean => {
    const target = compiled.findByName(far);
    return (
      target !== null &&
      target.verbs.includes('read') &&
      names.every((column) => target.findColumn(column) !== null)
    );
  };
  return {
    ...table,
    columns: table.columns.filter((column) => visible.has(column.name)),
    primaryKey: table.primaryKey !== null && isShown(table.primaryKey) ? table.primaryKey : null,
    foreignKeys: table.foreignKeys.filter(
      (key) => isShown(key.columns) && isReachable(key.referencedTable, key.referencedColumns),
    ),
  };
}
