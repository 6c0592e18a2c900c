// @ts-check
import { createHash } from 'node:crypto';

/**
 * @typedef {import('@rowhouse/schema-model').Snapshot} Snapshot
 * @typedef {import('@rowhouse/schema-model').Table} Table
 * @typedef {import('./load-databases.mjs').ColumnValues} ColumnValues
 * @typedef {{ table: string, column: string | null }} Item a table or one of its columns
 */

/** A word that occurs in no question and no schema. */
const HIDDEN = 'vexqor';

/** @param {string} a @param {string} b */
const isSame = (a, b) => a.toLowerCase() === b.toLowerCase();

/**
 * Chooses a name in a gold query deterministically.
 * Columns are chosen twice as often as tables, and keys never.
 * @param {Snapshot} snapshot
 * @param {{ question: string, sql: string }} asked
 * @returns {Item | null}
 */
export function chooseName(snapshot, { question, sql }) {
  const words = new Set(
    sql
      .replace(/'[^']*'|"[^"]*"/g, ' ')
      .toLowerCase()
      .match(/\w+/g) ?? [],
  );
  const items = snapshot.tables
    .filter(({ name }) => words.has(name.toLowerCase()))
    .flatMap((table) => {
      const keys = new Set([...(table.primaryKey ?? []), ...table.foreignKeys.flatMap((key) => key.columns)]);
      const columns = table.columns
        .filter(({ name }) => words.has(name.toLowerCase()) && !keys.has(name))
        .map(({ name }) => ({ table: table.name, column: name }));
      return [{ table: table.name, column: null }, ...columns, ...columns];
    });
  return items[(createHash('sha256').update(question).digest()[0] ?? 0) % Math.max(1, items.length)] ?? null;
}

/**
 * Replaces a name in the schema by a meaningless word.
 * This simulates a schema whose names differ from the words of the question.
 * @param {{ snapshot: Snapshot, values: readonly ColumnValues[] }} known
 * @param {Item} item
 * @returns {{ snapshot: Snapshot, values: ColumnValues[], reveal: (sql: string) => string }} `reveal`
 *   restores the name in a statement.
 */
export function hideName({ snapshot, values }, { table, column }) {
  const tableName = (/** @type {string} */ name) => (column === null && isSame(name, table) ? HIDDEN : name);
  const columnName = (/** @type {string} */ of, /** @type {string} */ name) =>
    column !== null && isSame(of, table) && isSame(name, column) ? HIDDEN : name;
  return {
    snapshot: {
      ...snapshot,
      tables: snapshot.tables.map((table) => hideIn(table, { tableName, columnName })),
    },
    values: values.map((entry) => ({
      ...entry,
      table: tableName(entry.table),
      column: columnName(entry.table, entry.column),
    })),
    reveal: (sql) => sql.replaceAll(`\`${HIDDEN}\``, `\`${column ?? table}\``),
  };
}

/**
 * @param {Table} table
 * @param {{ tableName: (name: string) => string, columnName: (of: string, name: string) => string }} names
 * @returns {Table}
 */
function hideIn(table, { tableName, columnName }) {
  const own = (/** @type {string} */ name) => columnName(table.name, name);
  return {
    ...table,
    name: tableName(table.name),
    primaryKey: table.primaryKey?.map(own) ?? null,
    columns: table.columns.map((column) => ({ ...column, name: own(column.name) })),
    foreignKeys: table.foreignKeys.map((key) => ({
      ...key,
      columns: key.columns.map(own),
      referencedTable: tableName(key.referencedTable),
      referencedColumns: key.referencedColumns.map((name) => columnName(key.referencedTable, name)),
    })),
  };
}
