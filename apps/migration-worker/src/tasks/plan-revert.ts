import type { MigrationPlan, TaskPayload, TaskResult } from '@rowhouse/contracts';
import { planRevert as findWayBack, type ExclusiveDetails, type RenameHint } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import type { BrokenRun } from '@rowhouse/platform-store';
import { nameSnapshot } from '@rowhouse/schema-model';
import { readPosition } from '../online-ddl/exclusive/run-exclusive.js';
import { readDeployed, readSnapshot } from '../snapshots/read-deployed.js';
import type { WorkerContext, ScratchContext } from '../worker-context.js';
import { classifyPlanCost } from './plan-database.js';
import { readProbedServer } from '../servers/read-probed-server.js';

/** Plans the revert of a database's migration from the current schema. Writes only to a scratch database. */
export async function planRevert(
  ctx: ScratchContext,
  payload: TaskPayload<'plan_revert'>,
): Promise<TaskResult<'plan_revert'>> {
  const migration = await ctx.directory.readMigrationPlan(payload.migration_id);
  if (migration.databaseId !== payload.database_id)
    throw new AppError('internal.defect', {
      internal: `the migration ${payload.migration_id} does not belong to ${payload.database_id}`,
    });
  const database = await ctx.directory.readDatabase(payload.database_id);
  const server = await readProbedServer(ctx, database.serverId);
  const deployed = await readDeployed(ctx, database, server.engine);
  const target = nameSnapshot(
    await readSnapshot(ctx, database.id, migration.baseNumber, server.engine),
    deployed,
  );
  const created = await readCreated(ctx, payload, migration.plan);
  const revertPlan = findWayBack(deployed, target, {
    retained: await ctx.directory.listSoftDeleted(payload.migration_id),
    ...created,
  });
  const plan = await classifyPlanCost(ctx, {
    database,
    server,
    deployed,
    target,
    diff: revertPlan,
    notes: revertPlan.notes,
    targetNumber: migration.baseNumber,
  });
  return { plan };
}

/**
 * Returns the renames that a migration has made. For an interrupted run, these are the renames that its
 * records show.
 */
async function readCreated(
  ctx: Pick<WorkerContext, 'directory'>,
  { database_id: databaseId, migration_id: migrationId }: TaskPayload<'plan_revert'>,
  plan: MigrationPlan,
): Promise<{ hints: readonly RenameHint[]; exclusive: ExclusiveDetails | null }> {
  const exclusive =
    plan.steps.flatMap((step) => (step.strategy === 'exclusive' ? [step.details] : []))[0] ?? null;
  if (exclusive === null) return { hints: plan.hints ?? [], exclusive };
  const isCreated = isExclusiveCreated(plan, await ctx.directory.listStartedSteps(migrationId));
  const methods = (await ctx.directory.listBrokenRuns(databaseId)).filter(
    (run) => run.revertsId === migrationId,
  );
  const isUndone = methods.some((run) => isExclusiveCreated(run.plan, run.steps));
  return { hints: [], exclusive: isCreated && !isUndone ? exclusive : null };
}

function isExclusiveCreated(plan: MigrationPlan, steps: BrokenRun['steps']): boolean {
  const step = steps.find(({ checkpoint }) => plan.steps[checkpoint.step]?.strategy === 'exclusive');
  if (step === undefined || step.isDone) return step !== undefined;
  const { areTablesRenamed, altered } = readPosition(step.checkpoint);
  if (!areTablesRenamed && altered === 0) return false;
  throw new AppError('schema.rename_not_possible', {
    detail: 'This migration stopped while it was reassigning names.',
    hint: 'Run it again first.',
  });
}
