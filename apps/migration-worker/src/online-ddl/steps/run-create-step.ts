import type { StepStrategy } from '@rowhouse/contracts';
import type { JournalStep } from '@rowhouse/platform-store';
import { CancelledError, fingerprintNow, type Run } from '../run-state.js';

import {
  AppError,
  NULL_IN_NOT_NULL_COLUMN,
  DUPLICATE_KEY,
  NULL_NOT_ALLOWED,
  OUT_OF_RANGE,
  DATA_TRUNCATED,
  WRONG_VALUE,
  WRONG_VALUE_FOR_COLUMN,
  DATA_TOO_LONG,
  NO_REFERENCED_ROW,
  NO_PARTITION_FOR_VALUE,
  INVALID_JSON,
  MYSQL_CHECK_FAILED,
  MARIADB_CHECK_FAILED,
} from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { cleanMessage } from '../../scratch/apply-schema-text.js';
import { ROWS_HINT } from './check-rows.js';
import { isInterruption } from '../../jobs/job-faults.js';

/**
 * The errors for values that a new rule rejects: NULL, truncation, range, duplicate, check, foreign key, no
 * partition.
 */
const ROWS_IN_THE_WAY = new Set([
  NULL_IN_NOT_NULL_COLUMN,
  DUPLICATE_KEY,
  NULL_NOT_ALLOWED,
  OUT_OF_RANGE,
  DATA_TRUNCATED,
  WRONG_VALUE,
  WRONG_VALUE_FOR_COLUMN,
  DATA_TOO_LONG,
  NO_REFERENCED_ROW,
  NO_PARTITION_FOR_VALUE,
  INVALID_JSON,
  MYSQL_CHECK_FAILED,
  MARIADB_CHECK_FAILED,
]);
/**
 * Runs a step that consists of several statements. Before each statement, `callback` reads the schema to
 * decide whether it is still needed, so the step can be resumed at any point.
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

/**
 * Converts a server error to a description for the schema's author. Errors that only interrupt the run are
 * returned unchanged.
 */
export function toStepError(run: Run, table: string, statement: string, error: unknown): unknown {
  if (error instanceof AppError || error instanceof CancelledError) return error;
  const fault = readServerFault(error);
  if (fault === null || fault.isConnectionLost) return error;
  const message = cleanMessage(fault.message, run.database.schemaName);
  const extra = { table, statement, errno: fault.errno };
  if (ROWS_IN_THE_WAY.has(fault.errno)) {
    const column = / for column (?:`(?:[^`]|``)*`\.`(?:[^`]|``)*`\.)?['`](.+?)['`] at row \d+/.exec(
      fault.message,
    )?.[1];
    const where = column === undefined ? '' : `: a value of ${column} cannot be converted`;
    return new AppError('schema.rows_in_the_way', {
      detail: `Existing rows of ${table} are incompatible with this change${where}.`,
      hint: ROWS_HINT,
      internal: message,
      extra: { ...extra, ...(column === undefined ? {} : { column }) },
    });
  }
  return new AppError('schema.invalid_sql', {
    detail: `The server rejected a change of ${table}: ${message}`,
    extra,
  });
}
