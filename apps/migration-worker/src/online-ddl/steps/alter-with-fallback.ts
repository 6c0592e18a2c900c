import { setTimeout as pause } from 'node:timers/promises';
import type { StepStrategy } from '@rowhouse/contracts';
import { AppError, DUPLICATE_KEY, CANNOT_CONVERT_STRING } from '@rowhouse/errors';
import { readServerFault, withCarryMode } from '@rowhouse/mysql';
import { withChecksOff } from '../../scratch/try-steps.js';

import { countTable } from '../../snapshots/table-statistics.js';
import {
  COPY_ROWS_MAX,
  COPY_ALGORITHM,
  listAlgorithms,
  readConstraintAdd,
  tryAlgorithms,
  withClause,
} from './algorithm-fallback.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';

/**
 * Errors that are caused by rows that existed only for a moment. An in-place build replays concurrent writes,
 * and fails on rows that were rolled back or deleted in the meantime. The errors are 1062 for a duplicate
 * entry, and on MySQL also 3854 if the server cannot format that entry.
 */
const TEMPORARY_ROW_ERRORS = new Set([DUPLICATE_KEY, CANNOT_CONVERT_STRING]);
const RETRIES_MAX = 8;
const RETRY_PAUSE_MS = 150;

/**
 * Runs an ALTER with the least intrusive algorithm that the server accepts. The last option is a copy, for
 * small tables only. Returns the strategy that was used. `checkAgain` throws when rows prevent the change.
 */
export async function alterWithFallback(
  run: Run,
  sql: string,
  table: string,
  checkAgain: () => Promise<void> = () => Promise.resolve(),
): Promise<StepStrategy> {
  const constraint = readConstraintAdd(sql);
  return withChecksOff(run.connection, run.capabilities, constraint !== null, () =>
    withCarryMode(run.connection, async () => {
      const accepted = await tryAlgorithms(listAlgorithms(run.capabilities, sql), sql, (statement) =>
        sendWithRetries(run, table, statement, checkAgain),
      );
      if (accepted !== null) return constraint?.strategy ?? accepted.strategy;
      const rows = await countTable(run.connection, run.database.schemaName, table);
      if (rows >= COPY_ROWS_MAX) throw new AppError('schema.needs_rebuild', { extra: { table, rows } });
      await sendDdl(run, withClause(sql, COPY_ALGORITHM), [table]);
      return COPY_ALGORITHM.strategy;
    }),
  );
}

/**
 * Sends the statement, and repeats it after errors that are caused by rows that existed only for a moment.
 */
async function sendWithRetries(
  run: Run,
  table: string,
  sql: string,
  checkAgain: () => Promise<void>,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await sendDdl(run, sql, [table]);
    } catch (error) {
      const errno = readServerFault(error)?.errno ?? 0;
      if (!TEMPORARY_ROW_ERRORS.has(errno) || attempts === RETRIES_MAX) throw error;
      await checkAgain();
      run.ctx.logger.info(
        { migration: run.migration.id, table, errno, attempts },
        'an in-place build is retried because of temporary rows',
      );
      await pause(RETRY_PAUSE_MS * attempts);
    }
  }
}
