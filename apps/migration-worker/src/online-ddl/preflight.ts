import { AppError } from '@rowhouse/errors';
import type { JournalStep } from '@rowhouse/platform-store';
import { fingerprintSchema, listDiffering, toSnapshot } from '../snapshots/fingerprints.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import { checkRows, listStepsBefore } from './steps/check-rows.js';
import { publishCurrentSchema } from './publish-run.js';
import { inspectAll, type Run } from './run-state.js';

/**
 * Checks before the first step that the plan still fits the current schema. If someone changed a table over a
 * direct connection, the change is published. If the plan contains that table, the run then ends with
 * `schema.drift`; otherwise it continues.
 */
export async function preflight(run: Run, steps: readonly JournalStep[]): Promise<void> {
  if (steps.some((step) => step.state !== 'pending')) return;
  const live = toSnapshot(await inspectAll(run));
  const deployed = await readDeployed(run.ctx, run.database, run.server.engine);
  if (fingerprintSchema(live) !== fingerprintSchema(deployed)) await publishCurrentSchema(run, 'direct');
  const moved = listDiffering(live, run.base, run.planned);
  if (moved.length > 0) {
    throw new AppError('schema.drift', {
      detail: `${moved.join(', ')} changed after this plan was created.`,
      hint: 'Deploy again to get a plan for the current schema.',
      extra: { tables: moved },
    });
  }
  await checkRows(
    run.connection,
    listStepsBefore(run.migration.plan.steps),
    run.database.settings.hidden_columns,
  );
}
