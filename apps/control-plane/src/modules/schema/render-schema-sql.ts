import type { Snapshot, Table } from '@rowhouse/schema-model';

/** A draft as SQL text: tables before those that refer to them as far as that is possible, views last. */
export function renderSchemaSql(snapshot: Snapshot | null): string {
  if (snapshot === null) return '';
  const tables = orderByReference(snapshot.tables.filter((table) => table.kind === 'table'));
  const views = snapshot.tables.filter((table) => table.kind === 'view');
  return [...tables, ...views].map((table) => `${table.createSql.trimEnd()};\n`).join('\n');
}

/** Tables that refer to each other in a circle keep the order of their names. */
function orderByReference(tables: readonly Table[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const entered = new Set<Table>();
  const visit = (table: Table): void => {
    if (entered.has(table)) return;
    entered.add(table);
    for (const { referencedTable } of table.foreignKeys) {
      const parent = byName.get(referencedTable);
      if (parent !== undefined) visit(parent);
    }
    ordered.add(table);
  };
  tables.forEach(visit);
  return [...ordered];
}
