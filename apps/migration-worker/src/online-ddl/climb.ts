import { setTimeout as pause } from 'node:timers/promises';
import type { StepStrategy } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { readServerFault, withCarryMode } from '@rowhouse/mysql';
import { withChecksOff } from '../scratch/try-steps.js';
import { countTable } from '../tasks/plan-database.js';
import { COPY_ROWS_MAX, COPY_RUNG, isRefusal, listRungs, readConstraintAdd, withClause } from './ladder.js';
import type { Run } from './run-state.js';
import { sendDdl } from './send-ddl.js';

/**
 * An in-place build replays what was written meanwhile, and stumbles over rows that were there for a moment: taken back
 * since, or deleted again. Duplicate entry; on MySQL also 3854, when it fails to put that entry into words.
 */
const PASSING = new Set([1062, 3854]);
const PASSING_TRIES_MAX = 8;
const PASSING_PAUSE_MS = 150;

/**
 * Sends an ALTER by the mildest rung that the server takes; a small table may be copied in the end. Gives what it came to.
 * `checkAgain` throws when rows are in the way.
 */
export async function climb(run: Run, sql: string, table: string, checkAgain: () => Promise<void> = () => Promise.resolve()): Promise<StepStrategy> {
  const constraint = readConstraintAdd(sql);
  return withChecksOff(run.connection, run.capabilities, constraint !== null, () => withCarryMode(run.connection, async () => {
    for (const rung of listRungs(run.capabilities, sql)) {
      if (await takes(run, table, withClause(sql, rung), checkAgain)) return constraint?.strategy ?? rung.strategy;
    }
    const rows = await countTable(run.connection, run.database.schemaName, table);
    if (rows >= COPY_ROWS_MAX) throw new AppError('schema.needs_rebuild', { extra: { table, rows } });
    await sendDdl(run, withClause(sql, COPY_RUNG), [table]);
    return COPY_RUNG.strategy;
  }));
}

/** False when the server refuses this rung; it refuses before it does anything. */
async function takes(run: Run, table: string, sql: string, checkAgain: () => Promise<void>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sendDdl(run, sql, [table]);
      return true;
    } catch (error) {
      const errno = readServerFault(error)?.errno ?? 0;
      if (isRefusal(errno)) return false;
      if (!PASSING.has(errno) || tries === PASSING_TRIES_MAX) throw error;
      await checkAgain();
      run.ctx.logger.info({ migration: run.migration.id, table, errno, tries }, 'an in-place build met rows of a moment, and is made again');
      await pause(PASSING_PAUSE_MS * tries);
    }
  }
}
