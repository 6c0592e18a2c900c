import type { MigrationStep, StepStrategy } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import type { JournalStep } from '@rowhouse/platform-store';
import { cleanMessage } from '../scratch/apply-schema-text.js';
import { withChecksOff } from '../scratch/try-steps.js';
import { withConnection } from '../servers/server-access.js';
import { countTable } from '../tasks/plan-database.js';
import { checkRows } from './check-rows.js';
import { COPY_ROWS_MAX, COPY_RUNG, isAlter, isConstraintAdd, isRefusal, listRungs } from './ladder.js';
import type { DdlCheckpoint } from './list-actions.js';
import { assertMayGoOn, CancelledError, fingerprintNow, type Run } from './run-state.js';
import { runWithShortLocks, type LockPatience, type TableWatch } from './short-locks.js';

/** Values that the new rule refuses: NULL into NOT NULL, cut data, out of range, duplicate, check, foreign key. */
const ROWS_IN_THE_WAY = new Set([1048, 1062, 1138, 1264, 1265, 1292, 1366, 1406, 1452, 3819, 4025]);
/** After this many tries the journal says that the run waits for a lock. */
const TRIES_UNTIL_TOLD = 3;

/**
 * One DDL statement, exactly once: a step that was begun and whose table no longer looks as it did then was done by
 * whoever ran before. DDL on one table is atomic on both engines, so there is nothing in between.
 */
export async function runDdl(run: Run, step: JournalStep): Promise<void> {
  await assertMayGoOn(run);
  const before = await fingerprintNow(run, step.table);
  const wasDone = step.state === 'running' && step.fingerprintBefore !== null && step.fingerprintBefore !== before;
  if (!wasDone) {
    await run.ctx.steps.start(run.migration, step.ordinal, before);
    run.ctx.failPoint(`before-ddl-${step.ordinal}`);
    run.ctx.failPoint('before-ddl');
    const strategy = await send(run, step);
    run.ctx.failPoint(`after-ddl-${step.ordinal}`);
    run.ctx.failPoint('after-ddl');
    await lookAgain(run, step);
    await run.ctx.steps.finish(run.migration, step.ordinal, 'done', { strategy, fingerprintAfter: await fingerprintNow(run, step.table) });
    return;
  }
  await lookAgain(run, step);
  await run.ctx.steps.finish(run.migration, step.ordinal, 'done', { fingerprintAfter: before });
}

async function send(run: Run, step: JournalStep): Promise<StepStrategy> {
  try {
    const sql = step.statement;
    if (isAlter(sql)) return await climb(run, sql, step.table);
    await withChecksOff(run.connection, run.capabilities, /^DROP TABLE /.test(sql), () => sendOnce(run, step.table, sql));
    return /^DROP /.test(sql) ? 'drop' : 'create';
  } catch (error) {
    throw toStepError(run, step, error);
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
    await sendOnce(run, table, `${sql}, ${COPY_RUNG.clause}`);
    return COPY_RUNG.strategy;
  });
}

/** False when the server refuses this rung; it refuses before it does anything. */
async function takes(run: Run, table: string, sql: string): Promise<boolean> {
  try {
    await sendOnce(run, table, sql);
    return true;
  } catch (error) {
    if (isRefusal(readServerFault(error)?.errno ?? 0)) return false;
    throw error;
  }
}

async function sendOnce(run: Run, table: string, sql: string): Promise<void> {
  const patience = (watch: TableWatch | null): LockPatience => ({
    watch,
    async beforeRetry(tries) {
      if (tries === TRIES_UNTIL_TOLD) await run.ctx.migrations.setState(run.migration, 'waiting_for_lock');
      await assertMayGoOn(run);
    },
  });
  if (run.capabilities.alterNowait) await runWithShortLocks(run.connection, sql, patience(null));
  else {
    await withConnection(run.ctx.access.openProvisioner(run.server), (connection) =>
      runWithShortLocks(run.connection, sql, patience({ connection, schemaName: run.database.schemaName, table })),
    );
  }
}

/** A constraint that was added with checks off holds only if no row slipped in between the look and the ALTER. */
async function lookAgain(run: Run, step: JournalStep): Promise<void> {
  if (!isConstraintAdd(step.statement)) return;
  const { step: index } = step.checkpoint as unknown as DdlCheckpoint;
  const planned = run.migration.plan.steps[index] as MigrationStep;
  try {
    await checkRows(run.connection, [planned]);
  } catch (error) {
    const name = /ADD CONSTRAINT `((?:[^`]|``)+)` (FOREIGN KEY|CHECK)/.exec(step.statement);
    if (name !== null) {
      const word = name[2] === 'CHECK' ? 'CONSTRAINT' : 'FOREIGN KEY';
      await sendOnce(run, step.table, `ALTER TABLE ${quoteName(step.table)} DROP ${word} \`${name[1]}\``);
    }
    throw error;
  }
}

function toStepError(run: Run, step: JournalStep, error: unknown): unknown {
  if (error instanceof AppError || error instanceof CancelledError) return error;
  const fault = readServerFault(error);
  if (fault === null || fault.isConnectionLost) return error;
  const message = cleanMessage(fault.message, run.database.schemaName);
  const extra = { table: step.table, statement: step.statement, errno: fault.errno };
  if (ROWS_IN_THE_WAY.has(fault.errno)) {
    return new AppError('schema.rows_in_the_way', { detail: `Existing rows of ${step.table} do not fit this change.`, internal: message, extra });
  }
  return new AppError('schema.invalid_sql', { detail: `The server refused a change of ${step.table}: ${message}`, extra });
}
