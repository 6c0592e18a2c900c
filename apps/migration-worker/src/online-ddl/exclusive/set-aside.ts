import { retainedName, type ExclusiveDetails } from '@rowhouse/ddl-plan';
import { introspectTable } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { describeSoftDeleted, RETENTION_HOURS } from '../soft-delete/soft-delete-table.js';
import type { Run } from '../run-state.js';

export interface SoftDeletedColumn {
  /** The name of the column's table after the exclusive step. */
  readonly table: string;
  readonly name: string;
  readonly keptName: string;
  readonly definition: string;
}

/** Returns the tables that an exclusive step soft-deletes, with their internal names. */
export function listSoftDeletedTables(
  run: Run,
  index: number,
  { keptTables: softDeletedTables }: ExclusiveDetails,
): { readonly table: string; readonly keptName: string }[] {
  return softDeletedTables.map(({ table }, position) => ({
    table,
    keptName: retainedName(run.migration.id, index, position),
  }));
}

/**
 * Returns the columns that an exclusive step soft-deletes. Their numbers follow those of the tables, so that
 * no two objects of a step share a name.
 */
export function listSoftDeletedColumns(
  run: Run,
  index: number,
  { keptTables: softDeletedTables, alters }: ExclusiveDetails,
): SoftDeletedColumn[] {
  const columns = alters.flatMap(({ table, kept: retained }) =>
    retained.map((column) => ({ table, ...column })),
  );
  return columns.map((column, position) => ({
    ...column,
    keptName: retainedName(run.migration.id, index, softDeletedTables.length + position),
  }));
}

/**
 * Records all objects that the step soft-deletes. A revert can then restore them, and the purge drops them
 * when their retention time is over.
 */
export async function setAside(run: Run, index: number, details: ExclusiveDetails): Promise<void> {
  const head = {
    databaseId: run.database.id,
    migrationId: run.migration.id,
    step: index,
    hours: RETENTION_HOURS,
  };
  for (const { table, keptName: name } of listSoftDeletedTables(run, index, details)) {
    const existing = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
    const entry = details.keptTables.find((other) => other.table === table);
    if (existing === null || entry === undefined) continue;
    await run.ctx.softDeleted.keep({
      id: createId('kep'),
      ...head,
      kind: 'table',
      tableName: table,
      columnName: null,
      keptName: name,
      definition: describeSoftDeleted(existing, entry),
    });
  }
  const before = new Map(details.tables.map((move) => [move.to, move.from]));
  for (const { table, name, keptName: retained, definition } of listSoftDeletedColumns(run, index, details)) {
    const base = run.base.tables.find((entry) => entry.name === (before.get(table) ?? table));
    const sql = base?.columns.find((column) => column.name === name)?.definition ?? definition;
    await run.ctx.softDeleted.keep({
      id: createId('kep'),
      ...head,
      kind: 'column',
      tableName: table,
      columnName: name,
      keptName: retained,
      definition: { sql, triggers: [], foreignKeys: [] },
    });
  }
  run.ctx.failPoint('exclusive-kept');
}
