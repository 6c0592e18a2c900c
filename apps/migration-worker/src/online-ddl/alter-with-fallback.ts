import { setTimeout as pause } from 'node:timers/promises';
import type { StepStrategy } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { readServerFault, withCarryMode } from '@rowhouse/mysql';
import { withChecksOff } from '../scratch/try-steps.js';
import { countTable } from '../tasks/plan-database.js';
import {
  COPY_ROWS_MAX,
  COPY_ALGORITHM,
  isRejection,
  listAlgorithms,
  readConstraintAdd,
  withClause,
} from './algorithm-fallback.js';
import type { Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';

/**
 * An in-place build replays concurrent writes and fails on rows that existed only temporarily:
 * rolled back or deleted since. The errors are duplicate entry, and on MySQL also 3854, when the
 * server cannot format that entry.
 */
const PASSING = new Set([1062, 3854]);
const PASSING_ATTEMPTS_MAX = 8;
const PASSING_PAUSE_MS = 150;

/**
 * Runs an ALTER with the least intrusive algorithm that the server accepts. A small table may be copied in
 * the end. Returns the strategy that was used. `checkAgain` throws when rows prevent the change.
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
      for (const algorithm of listAlgorithms(run.capabilities, sql)) {
        if (await takes(run, table, withClause(sql, algorithm), checkAgain))
          return constraint?.strategy ?? algorithm.strategy;
      }
      const rows = await countTable(run.connection, run.database.schemaName, table);
      if (rows >= COPY_ROWS_MAX) throw new AppError('schema.needs_rebuild', { extra: { table, rows } });
      await sendDdl(run, withClause(sql, COPY_ALGORITHM), [table]);
      return COPY_ALGORITHM.strategy;
    }),
  );
}

/**
 * Runs the statement. Returns false when the server rejects its algorithm, which happens before any change.
 */
async function takes(
  run: Run,
  table: string,
  sql: string,
  checkAgain: () => Promise<void>,
): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await sendDdl(run, sql, [table]);
      return true;
    } catch (error) {
      const errno = readServerFault(error)?.errno ?? 0;
      if (isRejection(errno)) return false;
      if (!PASSING.has(errno) || attempts === PASSING_ATTEMPTS_MAX) throw error;
      await checkAgain();
      run.ctx.logger.info(
        { migration: run.migration.id, table, errno, tries: attempts },
        'an in-place build met rows of a moment, and is made again',
      );
      await pause(PASSING_PAUSE_MS * attempts);
    }
  }
}
