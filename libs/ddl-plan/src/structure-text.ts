import type { Snapshot, Table } from '@rowhouse/schema-model';

/**
 * What two tables must agree in to be the same structure: columns in order, keys, constraints, options, triggers. Paths and
 * relationship names are not part of it, nor are the names of checks and the order in which the server lists keys.
 */
export function tableStructureText(table: Table): string {
  if (table.kind === 'view') return JSON.stringify([table.name, 'view', table.createSql]);
  return JSON.stringify([
    table.name,
    'table',
    tableOptions(table),
    table.columns.map((column) => [column.name, column.definition]),
    table.indexes.map((index) => index.definition),
    table.foreignKeys.map((key) => key.definition),
    table.checks.map((check) => withoutName(check.definition)).filter((definition) => definition !== '').sort(),
    ...(table.triggers ?? []).map((trigger) => trigger.createSql),
  ]);
}

/** What a check is called does not count: MySQL gives a chosen name away when a table is rebuilt, since no two checks of a schema may share one. */
function withoutName(definition: string): string {
  return definition.replace(/^CONSTRAINT `(?:[^`]|``)*` /, '');
}

/** Over all tables, sorted by name, and all routines. */
export function structureText(snapshot: Snapshot): string {
  const tables = [...snapshot.tables].sort((a, b) => (a.name < b.name ? -1 : 1)).map(tableStructureText);
  return JSON.stringify([...tables, ...(snapshot.routines ?? []).map((routine) => routine.createSql)]);
}

/** What stands behind the closing parenthesis of CREATE TABLE. */
export function tableOptions(table: Table): string {
  const end = table.createSql.lastIndexOf('\n)');
  return end < 0 ? '' : table.createSql.slice(end + 2).trim();
}
