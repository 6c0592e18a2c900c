import type { CompiledSnapshot, Table } from '@rowhouse/schema-model';

/** Tables and columns as the key sees them: what it may not read must not even be a word, nor the far end of a foreign key. */
export function listReadable(compiled: CompiledSnapshot): Table[] {
  return compiled.tableNames.flatMap((name) => {
    const found = compiled.findByName(name);
    if (found === null || !found.verbs.includes('read')) return [];
    const table = found.source;
    const shown = new Set(found.shown.map((column) => column.name));
    const isShown = (names: readonly string[]): boolean => names.every((column) => shown.has(column));
    const isReachable = (far: string, columns: readonly string[]): boolean => {
      const target = compiled.findByName(far);
      return target !== null && target.verbs.includes('read') && columns.every((column) => target.findColumn(column) !== null);
    };
    return [{
      ...table,
      columns: table.columns.filter((column) => shown.has(column.name)),
      primaryKey: table.primaryKey !== null && isShown(table.primaryKey) ? table.primaryKey : null,
      foreignKeys: table.foreignKeys.filter((key) => isShown(key.columns) && isReachable(key.referencedTable, key.referencedColumns)),
    }];
  });
}
