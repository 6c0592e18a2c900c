import { readServerFault, toSchemaSqlMode } from '@rowhouse/mysql';
import { CHECKS_ON_SQL } from '../ladder.js';
import type { Run } from '../run-state.js';

/**
 * Strict, so that a value that does not fit is refused and never cut; 0 stays 0 in an AUTO_INCREMENT column; dates of
 * zeros that are there may be copied. A trigger keeps the mode in which it was made.
 */
const COPY_SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION';
const LOCK_WAIT_SECONDS = 1;
/** Lock wait time-out, deadlock, and MySQL's own number for NOWAIT. */
const ROWS_LOCKED = new Set([1205, 1213, 3572]);

/** Whether a statement of such a session met rows that somebody else holds: it was rolled back. */
export function isRowsLocked(error: unknown): boolean {
  return ROWS_LOCKED.has(readServerFault(error)?.errno ?? 0);
}

/**
 * The run's session as copy and capture need it: rows are locked without the gaps between them, so that nobody's insert
 * waits for the copy; foreign keys are not looked up again (a lock on each parent row), since what is copied has passed them.
 */
export async function withCopySession<T>(run: Pick<Run, 'connection' | 'server'>, work: () => Promise<T>): Promise<T> {
  const { connection } = run;
  await connection.run(`SET SESSION sql_mode = '${COPY_SQL_MODE}', innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, foreign_key_checks = 0`);
  await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  try {
    return await work();
  } finally {
    if (!connection.isLost()) {
      await connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await connection.run(`SET SESSION sql_mode = '${toSchemaSqlMode(run.server.engine)}', innodb_lock_wait_timeout = DEFAULT`);
      await connection.run(CHECKS_ON_SQL[run.server.engine]);
    }
  }
}
