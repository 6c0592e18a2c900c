import type { Snapshot, Table } from '@rowhouse/schema-model';

/**
 * Returns a text that is equal for two tables with the same structure. It contains the columns in order,
 * keys, constraints, options and triggers. It does not contain paths, names of relationships, names of
 * checks, and the order in which the server lists keys.
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
    table.checks
      .map((check) => withoutName(check.definition))
      .filter((definition) => definition !== '')
      .sort(),
    ...(table.triggers ?? []).map((trigger) => trigger.createSql),
  ]);
}

/**
 * Removes the name of a check, which a rebuild on MySQL changes. The shadow table needs other names, because
 * two checks of a schema cannot have the same name.
 */
function withoutName(definition: string): string {
  return definition.replace(/^CONSTRAINT `(?:[^`]|``)*` /, '');
}

/** Returns a text with the structure of all tables, sorted by name, and all routines. */
export function structureText(snapshot: Snapshot): string {
  const tables = [...snapshot.tables].sort((a, b) => (a.name < b.name ? -1 : 1)).map(tableStructureText);
  return JSON.stringify([...tables, ...(snapshot.routines ?? []).map((routine) => routine.createSql)]);
}

/** Returns the table options: the text after the closing parenthesis of CREATE TABLE. */
export function tableOptions(table: Table): string {
  const end = table.createSql.lastIndexOf('\n)');
  return end < 0 ? '' : table.createSql.slice(end + 2).trim();
}

/**
 * Returns the text whose hash identifies a plan. It contains the schema where the plan starts and the
 * statements that it sends. Row counts and strategies are not part of it.
 */
export function hashInput(plan: {
  readonly database: string;
  readonly baseSnapshot: number;
  readonly steps: readonly {
    readonly class: string;
    readonly sql: string;
    readonly beforePublish: string | null;
    readonly afterPublish: string | null;
  }[];
}): string {
  return JSON.stringify([
    plan.database,
    plan.baseSnapshot,
    plan.steps.map((step) => [step.class, step.sql, step.beforePublish, step.afterPublish]),
  ]);
}
