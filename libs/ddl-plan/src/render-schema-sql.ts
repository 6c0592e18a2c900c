import type { Snapshot } from '@rowhouse/schema-model';
import { createWithout, orderTables, orderViews } from './create-order.js';
import { alterTable } from './sql-text.js';

const NONE: ReadonlySet<string> = new Set();

/** The whole schema as statements, without `;`, in an order that loads into an empty database of the same engine. */
export function listCreateStatements(snapshot: Snapshot): string[] {
  const { tables, lateKeys } = orderTables(snapshot.tables);
  const statements = (snapshot.routines ?? []).map((routine) => routine.createSql);
  const late = new Map<string, Set<string>>();
  for (const key of lateKeys) late.set(key.table, (late.get(key.table) ?? new Set()).add(key.name));
  statements.push(...tables.map((table) => createWithout(table, late.get(table.name) ?? NONE)));
  for (const key of lateKeys) {
    const statement = alterTable(key.table, [`ADD ${key.definition}`]);
    if (statement !== null) statements.push(statement);
  }
  for (const view of orderViews(snapshot.tables.filter((table) => table.kind === 'view'))) statements.push(view.createSql);
  for (const table of tables) statements.push(...(table.triggers ?? []).map((trigger) => trigger.createSql));
  return statements;
}

/** As `listCreateStatements`, as one text that command-line clients read too; empty for a schema without tables. */
export function renderSchemaSql(snapshot: Snapshot): string {
  return listCreateStatements(snapshot).map(endStatement).join('\n');
}

/** A body of several statements needs another mark for its end. */
function endStatement(statement: string): string {
  if (!/^CREATE (TRIGGER|PROCEDURE|FUNCTION) /.test(statement) || !statement.includes(';')) return `${statement};\n`;
  const mark = statement.includes(';;') ? '//' : ';;';
  return `DELIMITER ${mark}\n${statement} ${mark}\nDELIMITER ;\n`;
}
