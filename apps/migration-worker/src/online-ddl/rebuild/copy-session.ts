import { DEADLOCK, LOCK_WAIT_TIMEOUT, LOCKED_NOWAIT } from '@rowhouse/errors';
import { CARRY_SQL_MODE, readServerFault, toSchemaSqlMode } from '@rowhouse/mysql';
import { CHECKS_ON_SQL } from '../steps/algorithm-fallback.js';
import type { Run } from '../run-state.js';

const LOCK_WAIT_SECONDS = 1;
/**
 * The errors for locked rows: lock wait timeout, deadlock, and the separate error that MySQL returns for
 * NOWAIT.
 */
const ROWS_LOCKED = new Set([LOCK_WAIT_TIMEOUT, DEADLOCK, LOCKED_NOWAIT]);

/**
 * Returns whether a statement of a copy session failed because another session holds its rows. The server has
 * rolled the statement back.
 */
export function isRowsLocked(error: unknown): boolean {
  return ROWS_LOCKED.has(readServerFault(error)?.errno ?? 0);
}

/**
 * Prepares the run's session for copying rows and creating capture triggers.
 * - A trigger keeps the sql_mode in which it was created.
 * - Rows are locked without gap locks, so that no insert waits for the copy.
 * - Foreign keys are not checked again, which would lock each parent row. The copied rows have already passed
 * these checks.
 */
export async function withCopySession<T>(
  run: Pick<Run, 'connection' | 'server'>,
  callback: () => Promise<T>,
): Promise<T> {
  const { connection } = run;
  await connection.run(
    `SET SESSION sql_mode = '${CARRY_SQL_MODE}', innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, foreign_key_checks = 0`,
  );
  await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  try {
    return await callback();
  } finally {
    if (!connection.isLost()) {
      await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await connection.run(
        `SET SESSION sql_mode = '${toSchemaSqlMode(run.server.engine)}', innodb_lock_wait_timeout = DEFAULT`,
      );
      await connection.run(CHECKS_ON_SQL[run.server.engine]);
    }
  }
}
