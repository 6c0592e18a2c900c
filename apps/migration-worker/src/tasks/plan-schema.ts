import { setImmediate as nextSlice } from 'node:timers/promises';
import type { MigrationPlan, TaskPayload, TaskResult } from '@rowhouse/contracts';
import {
  findBroken,
  findStopwordTables,
  findUnindexedKeys,
  selectConcerned,
  type Use,
} from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import {
  runStepsInSlices,
  nameSnapshotSteps,
  type RawSchema,
  type RawTable,
  type Snapshot,
} from '@rowhouse/schema-model';
import { applySchemaText, cleanMessage } from '../scratch/apply-schema-text.js';
import { assertReadBack } from '../scratch/assert-read-back.js';
import { withScratch, type ScratchDatabase } from '../scratch/scratch-database.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import type { WorkerContext, DatabaseAccess, ScratchContext } from '../worker-context.js';
import { collectHints, passesNames } from './collect-hints.js';
import { planDatabase } from './plan-database.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { chooseServer, engineOfDraft } from '../scratch/choose-server.js';
import { readOn, loadDraft } from '../scratch/read-on.js';

interface Target {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
}

/**
 * Converts a schema text to a draft, and plans the changes from each target's schema to the draft. Writes
 * only to a scratch database, which is dropped.
 */
export async function planSchema(
  ctx: ScratchContext,
  payload: TaskPayload<'plan_schema'>,
): Promise<TaskResult<'plan_schema'>> {
  const targets = await readTargets(ctx, payload.target_database_ids);
  const home = await chooseHome(ctx, payload, targets);
  const { schema, notes } = await draftOn(ctx, home, payload);
  const draft = await runStepsInSlices(nameSnapshotSteps(schema, payload.base), () => nextSlice());
  await nextSlice();
  if (payload.base !== null) assertNothingBroken(findBroken(payload.base, draft));
  assertKeysIndexed(payload.base, draft);
  if (![home, ...targets.map(({ server }) => server)].every(({ isDedicated }) => isDedicated))
    assertNoStopwordTables(findStopwordTables(payload.base, draft));
  if (payload.sql.trim() !== '') await assertReadBack(ctx, home, draft, payload.base);
  ctx.planCache.remember(home, draft);
  const isPassing = await passesNames(home, payload, draft);
  const plans: MigrationPlan[] = [];
  for (const target of targets) {
    const own = target.server.id === home.id ? schema : await readOn(ctx, target.server, draft);
    plans.push(
      await planDatabase(
        ctx,
        target.database,
        target.server,
        own,
        await collectHints(ctx, target.database.id, target.server, payload),
      ),
    );
  }
  return { draft, notes, plans, ...(isPassing ? { passesNames: true } : {}) };
}

async function readTargets(ctx: DatabaseAccess, databaseIds: readonly string[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const databaseId of databaseIds) {
    const database = await ctx.directory.readDatabase(databaseId);
    if (database.provisionState !== 'ready' || database.isDeleted)
      throw new AppError('db.provisioning', { detail: `The database ${database.environment} is not ready.` });
    targets.push({ database, server: await readProbedServer(ctx, database.serverId) });
  }
  return targets;
}

/**
 * Returns the server on which the text is tested. A draft keeps the engine that it was written for. If a
 * target has that engine, its server is used; otherwise any server of that engine.
 */
async function chooseHome(
  ctx: DatabaseAccess,
  payload: TaskPayload<'plan_schema'>,
  targets: readonly Target[],
): Promise<WorkerServer> {
  const drafted = engineOfDraft(payload.base);
  const own = drafted === null ? targets[0] : targets.find((target) => target.server.engine === drafted);
  return own?.server ?? chooseServer(ctx, payload);
}

async function draftOn(
  ctx: Pick<WorkerContext, 'access' | 'failPoint' | 'planCache'>,
  server: WorkerServer,
  payload: TaskPayload<'plan_schema'>,
): Promise<{ schema: RawSchema; notes: string[] }> {
  const base = payload.mode === 'apply' ? payload.base : null;
  const isKnown = base !== null && base.engine === server.engine && ctx.planCache.knows(server, base);
  if (isKnown && payload.sql.trim() === '') return { schema: base, notes: [] };
  return withScratch(ctx, server, async (scratch) => {
    // A server prints the parts that the text cannot affect unchanged, so only affected parts are loaded.
    const loaded = isKnown ? selectConcerned(base, [payload.sql]) : base;
    if (loaded !== null) await loadDraft(scratch, server, loaded);
    const notes = await applySchemaText(scratch, server, payload.sql);
    const schema = await readSchema(scratch.connection, scratch.schemaName, server.engine);
    await assertViewsWork(scratch, schema.tables);
    const names = new Set(loaded?.tables.map((table) => table.name));
    const untouched = base?.tables.filter((table) => !names.has(table.name)) ?? [];
    return { schema: { ...schema, tables: [...untouched, ...schema.tables] }, notes };
  });
}

/**
 * Checks that all views work. A server accepts dropping or renaming what a view uses, but each read of the
 * view then fails.
 */
async function assertViewsWork(scratch: ScratchDatabase, tables: readonly RawTable[]): Promise<void> {
  for (const view of tables.filter((table) => table.kind === 'view')) {
    try {
      await scratch.connection.rows(`SELECT * FROM ${quoteName(view.name)} LIMIT 0`);
    } catch (error) {
      const fault = readServerFault(error);
      if (fault === null || fault.isConnectionLost) throw error;
      throw new AppError('schema.broken_object', {
        detail: `The view ${view.name} would no longer work: ${cleanMessage(fault.message, scratch.schemaName)}`,
        hint: 'Change or drop the view in the same deploy.',
        extra: { object: view.name },
      });
    }
  }
}

function assertNothingBroken(uses: readonly Use[]): void {
  if (uses.length === 0) return;
  throw new AppError('schema.broken_object', {
    detail: `${uses.map((use) => `The ${use.kind} ${use.name} uses ${use.what}`).join('. ')}, which this change drops or renames.`,
    hint: 'Change or drop it in the same deploy.',
    extra: { uses },
  });
}

/**
 * Rejects a change after which a foreign key references columns without an index. MySQL itself rejects it.
 *
 * @throws AppError `schema.broken_object` naming the foreign keys
 */
export function assertKeysIndexed(before: Snapshot | null, draft: Snapshot): void {
  const found = findUnindexedKeys(before, draft);
  const [first] = found;
  if (first === undefined) return;
  const columnsOf = ({ key }: typeof first): string =>
    `${key.referencedTable} (${key.referencedColumns.join(', ')})`;
  throw new AppError('schema.broken_object', {
    detail:
      `${found.map((entry) => `The foreign key ${entry.key.name} of ${entry.table} references ${columnsOf(entry)}`).join('. ')}, ` +
      'which would have no index after this change.',
    hint: `Add an index on ${columnsOf(first)}, or drop the foreign key in the same deploy.`,
    extra: {
      uses: found.map((entry) => ({ kind: 'foreign_key', name: entry.key.name, what: columnsOf(entry) })),
    },
  });
}

/**
 * Rejects full-text stopword tables, because other accounts of the server could use them to test for words.
 */
function assertNoStopwordTables(tables: readonly string[]): void {
  const [table] = tables;
  if (table === undefined) return;
  throw new AppError('schema.statement_not_allowed', {
    detail: `The first column of ${table} is the VARCHAR \`value\`, and its server is shared. Every account of a server can use such a table as a stopword list, and compare words with its rows.`,
    hint: 'Put another column first, rename the column `value`, or give it the type TEXT.',
    extra: { object: table },
  });
}
