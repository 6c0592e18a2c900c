import { setImmediate as nextSlice } from 'node:timers/promises';
import type { ApiImpact, MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import {
  attachUses,
  listExclusive,
  listLosing,
  chooseStrategy,
  diffSnapshotsSteps,
  findInRenames,
  hashInput,
  selectConcerned,
  type PlannedStep,
  type SnapshotDiff,
  type StrategyBounds,
  type Use,
} from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { runStepsInSlices, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot, readRevisions } from '@rowhouse/snapshot-store';
import { COPY_ROWS_MAX } from '../online-ddl/steps/algorithm-fallback.js';
import { SERVED_STRATEGIES } from '../online-ddl/served-strategies.js';
import { withScratch, type ScratchDatabase } from '../scratch/scratch-database.js';
import { loadDeployed, trySteps } from '../scratch/try-steps.js';
import { type TestedStep } from '../scratch/plan-cache.js';
import { withConnection } from '../servers/server-access.js';
import { fingerprintSchema, listDiffering, sha256, toSnapshot } from '../snapshots/fingerprints.js';
import { readSchema } from '../snapshots/inspect-schema.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import type { WorkerContext, DatabaseAccess, ScratchContext } from '../worker-context.js';
import type { DraftOrigins } from './collect-hints.js';
import { planCounters } from './counter-steps.js';
import { noteBooleans } from './note-booleans.js';
import { countTable } from '../snapshots/table-statistics.js';

/** The approximate number of rows for which a server builds an index in place within two seconds. */
const INPLACE_ROWS_MAX = 200_000;
const REBUILDS = ['rebuild', 'rebuild_family'] as const;

/** Returns the plan from the deployed schema to the draft. */
export async function planDatabase(
  ctx: ScratchContext,
  database: WorkerDatabase,
  server: WorkerServer,
  draft: RawSchema,
  origins: DraftOrigins,
): Promise<MigrationPlan> {
  const deployed = await readDeployed(ctx, database, server.engine);
  const target = toSnapshot(draft, deployed);
  const lineage = origins.lineageOf(target);
  assertRenamesFree(findInRenames(deployed, target, lineage));
  const diff = await runStepsInSlices(diffSnapshotsSteps(deployed, target, lineage), () => nextSlice());
  const counters = await planCounters(ctx, database, server, target, origins.counters);
  const notes = [
    ...counters.notes,
    ...(await noteBooleans(ctx, database, server, { deployed, target, lineage })),
  ];
  return classifyPlanCost(ctx, {
    database,
    server,
    deployed,
    target,
    diff: { ...diff, steps: [...diff.steps, ...counters.steps] },
    notes,
    targetNumber: null,
  });
}

export interface Draft {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly deployed: Snapshot;
  readonly target: Snapshot;
  readonly diff: SnapshotDiff;
  readonly notes: readonly string[];
  readonly targetNumber: number | null;
}

/**
 * Tests each step on an empty copy, counts the rows of the real tables, and returns the plan that is shown,
 * stored and run.
 */
export async function classifyPlanCost(ctx: ScratchContext, draft: Draft): Promise<MigrationPlan> {
  const { database, server, deployed, diff } = draft;
  const tried = diff.steps.length === 0 ? [] : await tryOnCopy(ctx, draft);
  const rows = await countRows(ctx, database, server, deployed, diff.steps);
  for (const entry of tried) assertQuick(entry, rows);
  const steps = tried.map(({ step, algorithm, side }) =>
    chooseStrategy(step, { algorithm, side, rows: sumRows(step, rows) }, boundsOf(server)),
  );
  const impact = hasUsers(diff.impact)
    ? attachUses(diff.impact, deployed, await ctx.directory.listKeyUse(database.id))
    : diff.impact;
  const head = {
    database: database.id,
    environment: database.environment,
    baseSnapshot: database.snapshotNumber,
  };
  return {
    ...head,
    steps,
    loss: steps.flatMap((step) => [...step.loss]),
    impact,
    needsRebuild: steps
      .filter((step) => !SERVED_STRATEGIES.has(step.strategy))
      .map((step) => ({ table: step.table, sql: step.sql, rows: step.rowsToRewrite })),
    hints: diff.hints,
    possibleRenames: diff.possibleRenames,
    notes: draft.notes,
    drift: steps.length === 0 ? [] : await findDrift(ctx, draft, steps),
    targetNumber: draft.targetNumber,
    hash: sha256(hashInput({ ...head, steps })),
    targetHash: fingerprintSchema(draft.target),
  };
}

/** Throws if an exclusive step reads or copies many rows, because all requests wait for such a step. */
function assertQuick({ step, algorithm }: TestedStep, rows: ReadonlyMap<string, number>): void {
  if (step.intent.kind !== 'exclusive') return;
  const maximum = Math.max(0, ...listLosing(step.intent.details).map((table) => rows.get(table) ?? 0));
  if (
    maximum <
    (algorithm === 'copy'
      ? COPY_ROWS_MAX
      : algorithm === 'inplace'
        ? INPLACE_ROWS_MAX
        : Number.POSITIVE_INFINITY)
  )
    return;
  throw new AppError('schema.rename_not_possible', {
    detail:
      `This change gives column names of ${listExclusive(step.intent.details).join(', ')} to other columns. ` +
      `It would have to write ${maximum} rows while all requests wait.`,
    hint: 'Deploy the change of the primary key first, then the renames.',
    extra: { statement: step.sql },
  });
}

/**
 * Returns the limits for a server. If triggers cannot be created there, no table is rebuilt online, because
 * the capture depends on them.
 */
function boundsOf(server: WorkerServer): StrategyBounds {
  const served = new Set(SERVED_STRATEGIES);
  if (server.capabilities?.rebuild === false) for (const strategy of REBUILDS) served.delete(strategy);
  return {
    copyRowsMax: COPY_ROWS_MAX,
    inplaceRowsMax: INPLACE_ROWS_MAX,
    served,
    isCluster: server.capabilities?.cluster === 'galera',
  };
}

/**
 * Returns direct changes since the last deploy that the plan would undo or change again, unless a draft
 * contained them in this form. A draft that was changed later takes adopted objects into account. A revert to
 * an earlier snapshot does not.
 */
async function findDrift(
  ctx: Pick<WorkerContext, 'directory'>,
  { database, deployed, targetNumber }: Draft,
  steps: readonly MigrationStep[],
): Promise<string[]> {
  const hash = await ctx.directory.readLastDeployHash(database.id);
  if (hash === null || hash === database.snapshotHash) return [];
  const body = await ctx.directory.readSnapshotBody(hash);
  if (body === null) return [];
  const before = await decodeSnapshot(body, hash);
  const touched = new Set(
    steps.flatMap((step) =>
      step.strategy === 'rebuild_family'
        ? step.details.tables.map((table) => table.table)
        : step.strategy === 'exclusive'
          ? listExclusive(step.details)
          : [step.table],
    ),
  );
  const changed = listDiffering(before, deployed, touched).sort();
  if (changed.length === 0 || targetNumber !== null) return changed;
  return listUntaken(ctx, database, deployed, changed);
}

/**
 * Returns tables whose current form is in no revision since the last deploy. If a table was adopted in an
 * earlier revision, it is reported again.
 */
async function listUntaken(
  ctx: Pick<WorkerContext, 'directory'>,
  database: WorkerDatabase,
  deployed: Snapshot,
  changed: string[],
): Promise<string[]> {
  const after = await ctx.directory.readDeployedRevision(database.id);
  let left = changed;
  for await (const draft of readRevisions((before) =>
    ctx.directory.readNewestBetween(database.projectId, after, before),
  )) {
    left = listDiffering(draft, deployed, new Set(left));
    if (left.length === 0) break;
  }
  return left;
}

function sumRows(step: PlannedStep, rows: ReadonlyMap<string, number>): number {
  return tablesOf(step).reduce((sum, table) => sum + (rows.get(table) ?? 0), 0);
}

function hasUsers(impact: ApiImpact): boolean {
  return impact.removed.length + impact.changed.length > 0;
}

function assertRenamesFree(uses: readonly Use[]): void {
  if (uses.length === 0) return;
  throw new AppError('schema.broken_object', {
    detail:
      `${uses.map((use) => `The ${use.kind} ${use.name} uses ${use.what}`).join('. ')}. It would ` +
      'fail between the rename and its own change.',
    hint:
      'Drop it in one deploy, then rename the column and create it again in the next. Or add a ' +
      'column instead of renaming one.',
    extra: { uses },
  });
}

/**
 * Tests the steps on a copy of the affected tables. If the server's response to a step is already known, the
 * step is not run again.
 */
async function tryOnCopy(
  ctx: Pick<WorkerContext, 'access' | 'failPoint' | 'planCache'>,
  draft: Draft,
): Promise<TestedStep[]> {
  const {
    server,
    deployed,
    target,
    diff: { steps },
  } = draft;
  if (steps.some(({ intent }) => intent.kind === 'exclusive')) return tryPassing(ctx, draft);
  const key = `${fingerprintSchema(deployed)} ${sha256(JSON.stringify(steps))}`;
  const known = ctx.planCache.readTried(server, key);
  if (known !== undefined)
    return steps.map((step, index) => ({ step, algorithm: 'none', side: 'beforePublish', ...known[index] }));
  const open = withoutAccepted(ctx, server, target, steps);
  const answers =
    open.length === 0
      ? []
      : await withScratch(ctx, server, async (scratch) => {
          await loadDeployed(scratch, selectConcerned(deployed, open.flatMap(textsOf), target));
          return trySteps(scratch, server, open);
        });
  const found = new Map(answers.map((answer) => [answer.step, answer]));
  const tried = steps.map(
    (step): TestedStep => found.get(step) ?? { step, algorithm: 'none', side: 'beforePublish' },
  );
  ctx.planCache.rememberTried(
    server,
    key,
    tried.map(({ algorithm, side }) => ({ algorithm, side })),
  );
  return tried;
}

/**
 * Tests a plan that gives names to other objects. It runs on a copy of the whole schema, and the result is
 * compared with the target.
 */
function tryPassing(
  ctx: Pick<WorkerContext, 'access' | 'failPoint'>,
  { server, deployed, target, diff: { steps } }: Draft,
): Promise<TestedStep[]> {
  return withScratch(ctx, server, async (scratch) => {
    await loadDeployed(scratch, deployed);
    const tried = await trySteps(scratch, server, steps);
    const passed = steps.flatMap(({ intent }) =>
      intent.kind === 'exclusive' ? listExclusive(intent.details) : [],
    );
    if (passed.length > 0)
      await assertReached(scratch, server, target, new Set([...passed, ...listDiffering(deployed, target)]));
    return tried;
  });
}

/**
 * Throws if the plan, which reuses names, does not produce its target on the copy. The check runs before any
 * rows depend on the plan.
 */
async function assertReached(
  scratch: ScratchDatabase,
  server: WorkerServer,
  target: Snapshot,
  planned: ReadonlySet<string>,
): Promise<void> {
  const reached = toSnapshot(await readSchema(scratch.connection, scratch.schemaName, server.engine));
  const differing = listDiffering(reached, target, planned);
  if (differing.length === 0) return;
  throw new AppError('schema.rename_not_possible', {
    detail:
      `The renames of this change do not produce the definition of ${differing.join(', ')} in the ` +
      'schema.',
    hint: 'Deploy the renames first, then the other changes of these tables.',
    extra: { tables: differing },
  });
}

/** Omits tables that the server has already created from the same text, unless another step involves them. */
function withoutAccepted(
  ctx: Pick<WorkerContext, 'planCache'>,
  server: WorkerServer,
  target: Snapshot,
  steps: readonly PlannedStep[],
): PlannedStep[] {
  const isAccepted = (step: PlannedStep): boolean =>
    step.kind === 'create_table' && ctx.planCache.accepts(server, step.sql);
  const needed = new Set(
    selectConcerned(target, steps.filter((step) => !isAccepted(step)).flatMap(textsOf)).tables.map(
      (table) => table.name,
    ),
  );
  return steps.filter((step) => !isAccepted(step) || needed.has(step.table));
}

function textsOf({ table, sql, beforePublish, afterPublish, intent }: PlannedStep): string[] {
  return [quoteName(table), sql, beforePublish ?? '', afterPublish ?? '', JSON.stringify(intent)];
}

/** Returns exact row counts up to the limit of a small table, and the server's estimates above that limit. */
async function countRows(
  ctx: DatabaseAccess,
  database: WorkerDatabase,
  server: WorkerServer,
  deployed: Snapshot,
  steps: readonly PlannedStep[],
): Promise<Map<string, number>> {
  const present = new Set(
    deployed.tables.filter((table) => table.kind === 'table').map((table) => table.name),
  );
  const requested = [...new Set(steps.flatMap(tablesOf))].filter((name) => present.has(name));
  const counts = new Map<string, number>();
  if (requested.length === 0) return counts;
  const accounts = await ctx.directory.listAccounts(database.id);
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    for (const table of requested)
      counts.set(table, await countTable(connection, database.schemaName, table));
  });
  return counts;
}

function tablesOf(step: PlannedStep): readonly string[] {
  if (step.intent.kind === 'exclusive') return listLosing(step.intent.details);
  return step.intent.kind === 'family'
    ? [...step.intent.details.tables.map((table) => table.table), ...step.intent.details.keyless]
    : [step.table];
}
