import type { Snapshot } from '@rowhouse/schema-model';
import { createWithout, orderTables, orderViews } from './create-order.js';
import { alterTable } from './sql-text.js';

/** The whole schema as statements, without `;`, in an order that loads into an empty database of the same engine. */
export function listCreateStatements(snapshot: Snapshot): string[] {
  const { tables, lateKeys } = orderTables(snapshot.tables);
  const statements = tables.map((table) => createWithout(table, new Set(lateKeys.filter((key) => key.table === table.name).map((key) => key.name))));
  for (const key of lateKeys) {
    const statement = alterTable(key.table, [`ADD ${key.definition}`]);
    if (statement !== null) statements.push(statement);
  }
  for (const view of orderViews(snapshot.tables.filter((table) => table.kind === 'view'))) statements.push(view.createSql);
  return statements;
}

/** As `listCreateStatements`, as one text; empty for a schema without tables. */
export function renderSchemaSql(snapshot: Snapshot): string {
  return listCreateStatements(snapshot).map((statement) => `${statement};\n`).join('\n');
}
