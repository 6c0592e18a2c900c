import type { StepStrategy } from '@rowhouse/contracts';
import type { JournalStep } from '@rowhouse/platform-store';
import { isInterruption } from './interruption.js';
import { fingerprintNow, type Run } from './run-state.js';
import { toStepError } from './step-error.js';

/**
 * Runs a step of several statements. `callback` checks the schema before each of them and does what remains, so
 * it can be resumed at any point.
 */
export async function runCreateStep(
  run: Run,
  step: JournalStep,
  strategy: StepStrategy,
  callback: () => Promise<void>,
): Promise<void> {
  const { ctx, migration } = run;
  await ctx.steps.start(migration, step.ordinal, await fingerprintNow(run, step.table));
  ctx.failPoint(`before-ddl-${step.ordinal}`);
  ctx.failPoint(`before-${strategy}`);
  try {
    await callback();
  } catch (error) {
    throw isInterruption(error) ? error : toStepError(run, step.table, step.statement, error);
  }
  ctx.failPoint(`after-ddl-${step.ordinal}`);
  ctx.failPoint(`after-${strategy}`);
  await ctx.steps.finish(migration, step.ordinal, 'done', {
    strategy,
    fingerprintAfter: await fingerprintNow(run, step.table),
  });
}
