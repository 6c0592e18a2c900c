import type { Column, Table } from '@rowhouse/schema-model';
import type { EditScope } from './edits-to-sql.js';

/** An edit that names what is not there, or has no meaning. */
export class EditError extends Error {
  constructor(
    readonly member: string,
    message: string,
    readonly known: readonly string[] = [],
    readonly given = '',
  ) {
    super(message);
  }
}

/** Throws EditError unless the table is there, or made by an earlier edit of the list. */
export function findTable(scope: EditScope, name: string, member = 'table'): void {
  if (scope.fresh.has(name) || scope.schema.tables.some((table) => table.name === name)) return;
  throw new EditError(member, `There is no table ${name}.`, scope.schema.tables.map((table) => table.name), name);
}

/** Null for a table that the list itself makes. */
export function findKnown(scope: EditScope, name: string): Table | null {
  return scope.schema.tables.find((table) => table.name === name) ?? null;
}

/** The column as it stands before the list; null where the list itself makes it or its table. */
export function findColumn(scope: EditScope, tableName: string, name: string, member: string): Column | null {
  const table = findKnown(scope, tableName);
  if (table === null || scope.fresh.has(`${tableName}.${name}`)) return null;
  const column = table.columns.find((entry) => entry.name === name);
  if (column === undefined) throw new EditError(member, `${tableName} has no column ${name}.`, table.columns.map((entry) => entry.name), name);
  return column;
}
