import type { Column, Table, Snapshot } from '@rowhouse/schema-model';

/** Thrown for an edit that names an unknown object or contradicts itself. */
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

/** Throws an EditError if the table neither exists nor is created by an earlier edit of the list. */
export function findTable(scope: EditScope, name: string, member = 'table'): void {
  if (scope.fresh.has(name) || scope.schema.tables.some((table) => table.name === name)) return;
  throw new EditError(
    member,
    `The table ${name} does not exist.`,
    scope.schema.tables.map((table) => table.name),
    name,
  );
}

/** Returns the table. Returns null if an earlier edit of the list creates it. Throws if it is unknown. */
export function findKnown(scope: EditScope, name: string): Table | null {
  return scope.schema.tables.find((table) => table.name === name) ?? null;
}

/**
 * Returns the column as it was before the list of edits. Returns null if the list itself creates the column
 * or its table.
 */
export function findColumn(scope: EditScope, tableName: string, name: string, member: string): Column | null {
  const table = findKnown(scope, tableName);
  if (table === null || scope.fresh.has(`${tableName}.${name}`)) return null;
  const column = table.columns.find((entry) => entry.name === name);
  if (column === undefined)
    throw new EditError(
      member,
      `${tableName} has no column ${name}.`,
      table.columns.map((entry) => entry.name),
      name,
    );
  return column;
}

export interface EditScope {
  readonly schema: Snapshot;
  /**
   * The tables (`posts`) and columns (`posts.title`) that earlier edits of the list create. Their definitions
   * are not known here.
   */
  readonly fresh: ReadonlySet<string>;
}
