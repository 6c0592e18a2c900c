import type { MigrationState, TaskError } from '@rowhouse/contracts';
import type { AppError } from '@rowhouse/errors';
import { LeaseLostError, type ClaimedMigration, type JournalStep } from '@rowhouse/platform-store';
import type { JobLease, WorkerContext } from '../worker-context.js';
import { isAccountRejected } from '../accounts/sessions/login-rejection.js';
import { checkRows, listStepsAfter } from './steps/check-rows.js';
import { createTables, groupSteps, type StepGroup } from './steps/create-tables.js';
import { transferSettings, settleSettings } from './named-settings.js';
import { listActions } from './list-actions.js';
import { withRun } from './open-run.js';
import { resumeRequests } from './pause-requests.js';
import { preparePair, withdrawPair } from './prepare-pair.js';
import { preflight } from './preflight.js';
import {
  publishLive,
  publishTarget,
  publishCurrentSchema,
  regrant,
  awaitAcknowledgement,
} from './publish-run.js';
import { runDdl } from './steps/run-ddl.js';
import { assertMayContinue, CancelledError, withoutCancelling, type Run } from './run-state.js';
import { waitForRepair } from './wait-for-repair.js';
import { toTaskError, isInterruption, toJobFault } from '../jobs/job-faults.js';

/** If a migration has not ended after this number of starts, an operator must look at it. */
const ATTEMPTS_MAX = 100;

/**
 * Runs a claimed migration to its end, starting from the state that an earlier run left. Throws only if the
 * lease or the session is lost, because the migration must then be claimed again.
 */
export async function runMigration(
  ctx: WorkerContext,
  migration: ClaimedMigration,
  lease: JobLease,
): Promise<void> {
  try {
    await withRun(ctx, migration, lease, async (run) => {
      const end = await runActions(run);
      await ctx.migrations.end(migration, end.state, end.error);
      ctx.logger.info(
        {
          migration: migration.id,
          database: migration.databaseId,
          state: end.state,
          code: end.error?.code,
          attempt: migration.attempt,
        },
        'migration ended',
      );
    });
  } catch (error) {
    if (isAccountRejected(error)) return releaseAfterRepair(ctx, migration, lease, error as AppError);
    if (isInterruption(error) && migration.attempt < ATTEMPTS_MAX) throw error;
    if (error instanceof LeaseLostError) throw error;
    const fault = toJobFault(error);
    ctx.logger.error({ migration: migration.id, err: error }, 'migration could not be run');
    await ctx.migrations.end(
      migration,
      isInterruption(error) ? 'needs_attention' : 'failed',
      toTaskError(fault),
    );
  }
}

/**
 * Waits until the account is repaired and releases the migration. A worker then claims it again and continues
 * with the current step.
 */
async function releaseAfterRepair(
  ctx: WorkerContext,
  migration: ClaimedMigration,
  lease: JobLease,
  rejection: AppError,
): Promise<void> {
  ctx.logger.warn(
    { migration: migration.id, err: rejection },
    'a migration waits for the repair of an account',
  );
  switch (await waitForRepair(ctx, migration, lease)) {
    case 'repaired':
      return ctx.migrations.release(migration);
    case 'cancelled':
      return ctx.migrations.end(migration, 'cancelled', null);
    case 'late':
      return ctx.migrations.end(migration, 'needs_attention', toTaskError(rejection));
  }
}

interface RunEnd {
  readonly state: MigrationState;
  readonly error: TaskError | null;
}

async function runActions(run: Run): Promise<RunEnd> {
  const { ctx, migration } = run;
  try {
    const steps = await ctx.steps.ensureSteps(migration, listActions(migration.plan));
    ctx.failPoint('journal-written');
    await preflight(run, steps);
    ctx.failPoint('preflight-done');
    for (const group of groupSteps(run, steps)) {
      await runGroup(run, group, steps.length);
      if (group.steps.some((step) => step.state !== 'done' && isLastBeforePublishing(steps, step)))
        await ctx.migrations.markDdlDone(migration);
    }
    // An earlier migration may have ended without resuming requests.
    if (run.database.requestsPaused) await resumeRequests(run);
    ctx.failPoint('before-end');
    return { state: 'published', error: null };
  } catch (error) {
    if (isInterruption(error)) throw error;
    if (!(error instanceof CancelledError))
      ctx.logger.warn({ migration: migration.id, err: error }, 'migration stopped');
    // A part of the plan may already be applied, so the current schema is published.
    await withoutCancelling(run, async () => {
      await withdrawPair(run);
      await settleSettings(run, await publishCurrentSchema(run, 'migration'));
      await resumeRequests(run);
    });
    return error instanceof CancelledError
      ? { state: 'cancelled', error: null }
      : { state: 'failed', error: toTaskError(toJobFault(error)) };
  }
}

async function runGroup(run: Run, { steps, areTables }: StepGroup, stepsTotal: number): Promise<void> {
  const first = steps.find((step) => step.state !== 'done');
  if (first === undefined) return;
  await enterState(run, first, stepsTotal);
  await (areTables ? createTables(run, steps) : runAction(run, first));
}

async function enterState(run: Run, step: JournalStep, stepsTotal: number): Promise<void> {
  const progressPercent = Math.floor(((step.ordinal - 1) / stepsTotal) * 100);
  run.state.current = stateOf(step);
  await run.ctx.migrations.setState(run.migration, run.state.current, progressPercent);
}

function stateOf(step: JournalStep): MigrationState {
  if (step.kind === 'prepare') return 'running';
  if (step.kind === 'publish_pair' || step.kind === 'publish_target' || step.kind === 'acknowledge')
    return 'publishing';
  if (step.kind === 'publish') return 'verifying';
  const stepClass = step.kind === 'ddl' ? step.checkpoint.class : null;
  return stepClass === 'rename' || stepClass === 'retype' || stepClass === 'exclusive'
    ? 'cutting_over'
    : 'running';
}

async function runAction(run: Run, step: JournalStep): Promise<void> {
  if (step.kind === 'ddl') return runDdl(run, step);
  const { ctx, migration } = run;
  await assertMayContinue(run);
  await ctx.steps.start(migration, step.ordinal, null);
  ctx.failPoint(`before-${step.kind}`);
  switch (step.kind) {
    case 'check_rows':
      await checkRows(
        run.connection,
        listStepsAfter(migration.plan.steps),
        run.database.settings.hidden_columns,
      );
      break;
    case 'grant':
      await regrant(run);
      break;
    case 'prepare':
      await transferSettings(run);
      await preparePair(run, step.checkpoint.step);
      break;
    case 'publish_pair':
      await publishCurrentSchema(run, 'migration');
      break;
    case 'publish_target':
      await publishTarget(run);
      break;
    case 'acknowledge':
      await awaitAcknowledgement(run);
      break;
    case 'publish':
      await settleSettings(run, await publishLive(run));
      break;
  }
  ctx.failPoint(`after-${step.kind}`);
  await ctx.steps.finish(migration, step.ordinal, 'done', {});
}

/**
 * Returns whether this is the last step before publishing. Its end is stored in `ddl_done_at`, as the time
 * from which gateways could serve the new schema.
 */
function isLastBeforePublishing(steps: readonly JournalStep[], step: JournalStep): boolean {
  const firstPublish = steps.find(
    (entry) => entry.kind === 'publish_pair' || entry.kind === 'publish_target' || entry.kind === 'publish',
  );
  return firstPublish !== undefined && step.ordinal === firstPublish.ordinal - 1;
}
