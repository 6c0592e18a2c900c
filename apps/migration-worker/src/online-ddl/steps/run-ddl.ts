import type { MigrationStep, StepStrategy } from '@rowhouse/contracts';
import { quoteName } from '@rowhouse/mysql';
import type { DdlStep } from '@rowhouse/platform-store';
import { withChecksOff } from '../../scratch/try-steps.js';
import { createsStoredObject } from '../../accounts/definer-account.js';
import { checkRows } from './check-rows.js';
import { alterWithFallback } from './alter-with-fallback.js';
import { runExclusive } from '../exclusive/run-exclusive.js';
import { softDeleteColumns } from '../soft-delete/soft-delete-columns.js';
import { softDeleteTable } from '../soft-delete/soft-delete-table.js';
import { restoreTable, restoreColumns } from '../soft-delete/restore-table.js';
import { isAlter, readConstraintAdd } from './algorithm-fallback.js';
import { lockedCopy } from './locked-copy.js';
import { replaceTrigger, createAsDefiner } from './replace-trigger.js';
import { runRebuildStep } from '../rebuild/run-rebuild.js';
import { assertMayContinue, fingerprintNow, withoutCancelling, type Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import { toStepError } from './run-create-step.js';
import { isCounterPassed } from '../../snapshots/table-statistics.js';

/**
 * Runs the statement of one step with the planned strategy. It runs exactly once, even if another worker has
 * started it.
 */
export async function runDdl(run: Run, step: DdlStep): Promise<void> {
  const { step: index, part } = step.checkpoint;
  const planned = run.migration.plan.steps[index] as MigrationStep;
  // If an earlier worker has started this step, the step continues before the run can be cancelled. Only the
  // step itself can revert what it has done.
  run.state.mayCancel = step.state !== 'running';
  await assertMayContinue(run).finally(() => {
    run.state.mayCancel = true;
  });
  if (part !== planned.side) return runStatement(run, step, planned);
  switch (planned.strategy) {
    case 'rebuild':
      return runRebuildStep(run, step, { step: index, tables: [planned.details], keys: null });
    case 'rebuild_family':
      return runRebuildStep(run, step, {
        step: index,
        tables: planned.details.tables,
        keys: planned.details.foreignKeys,
      });
    case 'replace':
      return replaceTrigger(run, step, planned.details);
    case 'keep_table':
      return softDeleteTable(run, step, index, planned.details);
    case 'keep_columns':
      return softDeleteColumns(run, step, index, planned.details);
    case 'restore_table':
      return restoreTable(run, step, planned.details);
    case 'restore_columns':
      return restoreColumns(run, step, planned.details);
    case 'exclusive':
      return runExclusive(run, step, index, planned.details);
    case 'locked_copy':
      return lockedCopy(run, step, planned.details);
    default:
      return runStatement(run, step, planned);
  }
}

/**
 * Runs the statement. DDL on one table is atomic on both engines, so an intermediate state is impossible. If
 * a step was started and its table has changed since, an earlier run completed the statement.
 */
async function runStatement(run: Run, step: DdlStep, planned: MigrationStep): Promise<void> {
  const before = await fingerprintNow(run, step.table);
  const wasDone =
    step.state === 'running' && step.fingerprintBefore !== null && step.fingerprintBefore !== before;
  if (!wasDone) {
    await run.ctx.steps.start(run.migration, step.ordinal, before);
    run.ctx.failPoint(`before-ddl-${step.ordinal}`);
    run.ctx.failPoint('before-ddl');
    const strategy = await send(run, step, planned);
    run.ctx.failPoint(`after-ddl-${step.ordinal}`);
    run.ctx.failPoint('after-ddl');
    await checkAgain(run, step, planned);
    await run.ctx.steps.finish(run.migration, step.ordinal, 'done', {
      strategy,
      fingerprintAfter: await fingerprintNow(run, step.table),
    });
    return;
  }
  await checkAgain(run, step, planned);
  await run.ctx.steps.finish(run.migration, step.ordinal, 'done', { fingerprintAfter: before });
}

async function send(run: Run, step: DdlStep, planned: MigrationStep): Promise<StepStrategy> {
  try {
    const sql = step.statement;
    if (await isCounterPassed(run.connection, sql)) return 'instant';
    if (isAlter(sql))
      return await alterWithFallback(run, sql, step.table, () =>
        checkRows(run.connection, [planned], run.database.settings.hidden_columns),
      );
    if (createsStoredObject(sql)) {
      await createAsDefiner(run, sql, step.table);
      return 'create';
    }
    await withChecksOff(run.connection, run.capabilities, /^DROP TABLE /.test(sql), () =>
      sendDdl(run, sql, [step.table]),
    );
    return planned.strategy === 'instant' ? 'instant' : /^DROP /.test(sql) ? 'drop' : 'create';
  } catch (error) {
    throw toStepError(run, step.table, step.statement, error);
  }
}

/**
 * Checks the rows again after a constraint was added with checks turned off. The constraint is valid only if
 * no row that violates it was written between the first check and the ALTER.
 */
async function checkAgain(run: Run, step: DdlStep, planned: MigrationStep): Promise<void> {
  const constraint = readConstraintAdd(step.statement);
  if (constraint === null) return;
  try {
    await checkRows(run.connection, [planned], run.database.settings.hidden_columns);
  } catch (error) {
    await withoutCancelling(run, () =>
      sendDdl(run, `ALTER TABLE ${quoteName(step.table)} ${constraint.dropSpec}`, [step.table]),
    );
    throw error;
  }
}
