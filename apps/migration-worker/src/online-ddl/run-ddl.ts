import type { MigrationStep, StepStrategy } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { withChecksOff } from '../scratch/try-steps.js';
import { countTable } from '../tasks/plan-database.js';
import { checkRows } from './check-rows.js';
import { COPY_ROWS_MAX, COPY_RUNG, isAlter, isConstraintAdd, isRefusal, listRungs } from './ladder.js';
import type { DdlCheckpoint } from './list-actions.js';
import { replaceTrigger } from './replace-trigger.js';
import { runRebuildStep } from './rebuild/run-rebuild-step.js';
import { assertMayGoOn, fingerprintNow, type Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';
import { toStepError } from './step-error.js';

/** One step's statement by the way that its plan chose, exactly once whoever has begun it. */
export async function runDdl(run: Run, step: JournalStep): Promise<void> {
  const { step: index, part } = step.checkpoint as unknown as DdlCheckpoint;
  const planned = run.migration.plan.steps[index] as MigrationStep;
  await assertMayGoOn(run);
  if (part === planned.side) {
    if (planned.strategy === 'rebuild') return runRebuildStep(run, step, { step: index, tables: [planned.details], keys: null });
    if (planned.strategy === 'rebuild_family') return runRebuildStep(run, step, { step: index, tables: planned.details.tables, keys: planned.details.foreignKeys });
  }
  if (planned.strategy === 'replace') return replaceTrigger(run, step, planned.details);
  await runStatement(run, step, planned);
}

/**
 * A step that was begun and whose table no longer looks as it did then was done by whoever ran before. DDL on one table
 * is atomic on both engines, so there is nothing in between.
 */
async function runStatement(run: Run, step: JournalStep, planned: MigrationStep): Promise<void> {
  const before = await fingerprintNow(run, step.table);
  const wasDone = step.state === 'running' && step.fingerprintBefore !== null && step.fingerprintBefore !== before;
  if (!wasDone) {
    await run.ctx.steps.start(run.migration, step.ordinal, before);
    run.ctx.failPoint(`before-ddl-${step.ordinal}`);
    run.ctx.failPoint('before-ddl');
    const strategy = await send(run, step);
    run.ctx.failPoint(`after-ddl-${step.ordinal}`);
    run.ctx.failPoint('after-ddl');
    await lookAgain(run, step, planned);
    await run.ctx.steps.finish(run.migration, step.ordinal, 'done', { strategy, fingerprintAfter: await fingerprintNow(run, step.table) });
    return;
  }
  await lookAgain(run, step, planned);
  await run.ctx.steps.finish(run.migration, step.ordinal, 'done', { fingerprintAfter: before });
}

async function send(run: Run, step: JournalStep): Promise<StepStrategy> {
  try {
    const sql = step.statement;
    if (isAlter(sql)) return await climb(run, sql, step.table);
    await withChecksOff(run.connection, run.capabilities, /^DROP TABLE /.test(sql), () => sendDdl(run, sql, [step.table]));
    return /^DROP /.test(sql) ? 'drop' : 'create';
  } catch (error) {
    throw toStepError(run, step.table, step.statement, error);
  }
}

async function climb(run: Run, sql: string, table: string): Promise<StepStrategy> {
  const isConstraint = isConstraintAdd(sql);
  return withChecksOff(run.connection, run.capabilities, isConstraint, async () => {
    for (const rung of listRungs(run.capabilities)) {
      if (await takes(run, table, `${sql}, ${rung.clause}`)) return isConstraint ? (/ADD CONSTRAINT `(?:[^`]|``)+` CHECK/.test(sql) ? 'add_check' : 'add_foreign_key') : rung.strategy;
    }
    const rows = await countTable(run.connection, run.database.schemaName, table);
    if (rows >= COPY_ROWS_MAX) throw new AppError('schema.needs_rebuild', { extra: { table, rows } });
    await sendDdl(run, `${sql}, ${COPY_RUNG.clause}`, [table]);
    return COPY_RUNG.strategy;
  });
}

/** False when the server refuses this rung; it refuses before it does anything. */
async function takes(run: Run, table: string, sql: string): Promise<boolean> {
  try {
    await sendDdl(run, sql, [table]);
    return true;
  } catch (error) {
    if (isRefusal(readServerFault(error)?.errno ?? 0)) return false;
    throw error;
  }
}

/** A constraint that was added with checks off holds only if no row slipped in between the look and the ALTER. */
async function lookAgain(run: Run, step: JournalStep, planned: MigrationStep): Promise<void> {
  if (!isConstraintAdd(step.statement)) return;
  try {
    await checkRows(run.connection, [planned]);
  } catch (error) {
    const name = /ADD CONSTRAINT `((?:[^`]|``)+)` (FOREIGN KEY|CHECK)/.exec(step.statement);
    if (name !== null) {
      const word = name[2] === 'CHECK' ? 'CONSTRAINT' : 'FOREIGN KEY';
      await sendDdl(run, `ALTER TABLE ${quoteName(step.table)} DROP ${word} \`${name[1]}\``, [step.table]);
    }
    throw error;
  }
}
