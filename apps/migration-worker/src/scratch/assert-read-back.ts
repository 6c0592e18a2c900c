import { listCreateStatements, tableStructureText } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot, Table } from '@rowhouse/schema-model';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';
import { cleanMessage } from './apply-schema-text.js';
import { withScratch, type ScratchDatabase } from './scratch-database.js';

/**
 * Creates the tables that differ between `base` and `draft` again, from the server's own description of them.
 * Plans, deploys and restores create tables from a draft in the same way. If this succeeds, they therefore
 * succeed too.
 * @throws AppError `schema.invalid_sql` naming the table whose own description the server rejects
 */
export async function assertReadBack(
  ctx: Pick<WorkerContext, 'access' | 'failPoint' | 'planCache'>,
  server: WorkerServer,
  draft: Snapshot,
  base: Snapshot | null,
): Promise<void> {
  const before = new Map((base?.tables ?? []).map((table) => [table.name, table.createSql]));
  const isOpen = ({ kind, name, createSql }: Table): boolean =>
    kind === 'table' && before.get(name) !== createSql && !ctx.planCache.accepts(server, createSql);
  const open = draft.tables.filter(isOpen);
  if (open.length === 0) return;
  const part = selectTables(draft, open);
  const statements = listCreateStatements(part);
  const found = await withScratch(ctx, server, async (scratch) => {
    for (const sql of statements) await create(scratch, sql);
    return toSnapshot(await readSchema(scratch.connection, scratch.schemaName, server.engine));
  });
  const texts = new Map(found.tables.map((table) => [table.name, tableStructureText(table)]));
  const unlike = part.tables.find((table) => texts.get(table.name) !== tableStructureText(table));
  if (unlike !== undefined) throw notTaken(unlike.name, 'it reads it differently.', unlike.createSql);
  for (const sql of statements) ctx.planCache.rememberAccepted(server, sql);
}

/**
 * Selects the tables to test, without their triggers. Triggers and views need no test, because servers print
 * both as they were written.
 */
function selectTables(draft: Snapshot, open: readonly Table[]): Snapshot {
  const byName = new Map(draft.tables.map((table) => [table.name, table]));
  const names = new Set(open.map((table) => table.name));
  // The loop also visits names that are added during it.
  for (const name of names)
    for (const key of byName.get(name)?.foreignKeys ?? [])
      if (byName.has(key.referencedTable)) names.add(key.referencedTable);
  const tables = draft.tables.filter((table) => table.kind === 'table' && names.has(table.name));
  return {
    format: draft.format,
    engine: draft.engine,
    tables: tables.map(({ triggers: _triggers, ...table }) => table),
  };
}

async function create(scratch: ScratchDatabase, sql: string): Promise<void> {
  try {
    await scratch.connection.run(sql);
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    const name = /`((?:[^`]|``)+)`/.exec(sql)?.[1]?.replaceAll('``', '`') ?? '';
    throw notTaken(name, cleanMessage(fault.message, scratch.schemaName), sql);
  }
}

function notTaken(table: string, reason: string, statement: string): AppError {
  return new AppError('schema.invalid_sql', {
    detail: `The server rejects its own definition of the table ${table}: ${reason}`,
    hint: 'Define the table differently. `statement` has its current definition.',
    extra: { table, statement },
  });
}
