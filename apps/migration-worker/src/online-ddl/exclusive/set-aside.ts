import { keptName, type ExclusiveDetails } from '@rowhouse/ddl-plan';
import { introspectTable } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { describeKept, KEPT_HOURS } from '../keep/keep-table.js';
import type { Run } from '../run-state.js';

export interface KeptColumn {
  /** The name of its table after the step. */
  readonly table: string;
  readonly name: string;
  readonly keptName: string;
  readonly definition: string;
}

/** Returns the tables that an exclusive step sets aside, with their retained names. */
export function listKeptTables(run: Run, index: number, { keptTables }: ExclusiveDetails): { readonly table: string; readonly keptName: string }[] {
  return keptTables.map(({ table }, at) => ({ table, keptName: keptName(run.migration.id, index, at) }));
}

/**
 * Returns the retained columns. Their numbers follow those of the tables, so that no two
 * objects of a step share a name.
 */
export function listKeptColumns(run: Run, index: number, { keptTables, alters }: ExclusiveDetails): KeptColumn[] {
  const columns = alters.flatMap(({ table, kept }) => kept.map((column) => ({ table, ...column })));
  return columns.map((column, at) => ({ ...column, keptName: keptName(run.migration.id, index, keptTables.length + at) }));
}

/**
 * Records everything that the step retains, so that a revert can restore it and the purge
 * drops it when its time is over.
 */
export async function keepAside(run: Run, index: number, details: ExclusiveDetails): Promise<void> {
  const head = { databaseId: run.database.id, migrationId: run.migration.id, step: index, hours: KEPT_HOURS };
  for (const { table, keptName: name } of listKeptTables(run, index, details)) {
    const standing = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
    const entry = details.keptTables.find((other) => other.table === table);
    if (standing === null || entry === undefined) continue;
    await run.ctx.kept.keep({ id: createId('kep'), ...head, kind: 'table', tableName: table, columnName: null, keptName: name, definition: describeKept(standing, entry) });
  }
  const before = new Map(details.tables.map((move) => [move.to, move.from]));
  for (const { table, name, keptName: kept, definition } of listKeptColumns(run, index, details)) {
    const base = run.base.tables.find((entry) => entry.name === (before.get(table) ?? table));
    const sql = base?.columns.find((column) => column.name === name)?.definition ?? definition;
    await run.ctx.kept.keep({ id: createId('kep'), ...head, kind: 'column', tableName: table, columnName: name, keptName: kept, definition: { sql, triggers: [], foreignKeys: [] } });
  }
  run.ctx.failPoint('exclusive-kept');
}
