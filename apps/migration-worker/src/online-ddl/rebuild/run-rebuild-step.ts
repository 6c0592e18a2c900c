import type { JournalStep } from '@rowhouse/platform-store';
import { isInterruption } from '../interruption.js';
import { fingerprintNow, withoutCancelling, type Run } from '../run-state.js';
import { toStepError } from '../step-error.js';
import { FIRST_CHECKPOINT, type RebuildCheckpoint } from './rebuild-checkpoint.js';
import type { RebuildOrder } from './read-rebuild-details.js';
import { isPastSwap, runRebuild, undoRebuild } from './run-rebuild.js';

/**
 * Runs a rebuild as a step of the journal.
 * If it fails before the swap, all of it is removed, unless the run itself was interrupted.
 */
export async function runRebuildStep(run: Run, step: JournalStep, order: RebuildOrder): Promise<void> {
  const { ctx, migration } = run;
  const stored =
    step.state === 'running' ? (step.checkpoint?.['rebuild'] as RebuildCheckpoint | undefined) : undefined;
  let latest = stored ?? FIRST_CHECKPOINT;
  const save = async (checkpoint: RebuildCheckpoint): Promise<void> => {
    latest = checkpoint;
    run.state.mayCancel = !isPastSwap(checkpoint.phase);
    await ctx.steps.checkpoint(migration, step.ordinal, { ...step.checkpoint, rebuild: checkpoint });
  };
  await ctx.steps.start(migration, step.ordinal, await fingerprintNow(run, step.table));
  run.state.mayCancel = !isPastSwap(latest.phase);
  try {
    await runRebuild(run, order, latest, save);
  } catch (error) {
    if (isInterruption(error) || isPastSwap(latest.phase)) throw error;
    await withoutCancelling(run, () => undoRebuild(run, order, latest));
    throw toStepError(run, step.table, step.statement, error);
  } finally {
    run.state.mayCancel = true;
  }
  await ctx.steps.finish(migration, step.ordinal, 'done', {
    strategy: order.keys === null ? 'rebuild' : 'rebuild_family',
    fingerprintAfter: await fingerprintNow(run, step.table),
  });
}
