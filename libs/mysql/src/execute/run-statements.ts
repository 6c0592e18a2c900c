import { WritesPausedError, ConnectionLostError } from '../faults.js';
import type { PoolSession } from '../session/pool-session.js';
import { GROUP_STRICTLY } from '../session/session-settings.js';
import { attemptsMax, isHalfCommitted, outcomeUnknown, pauseBefore, toRunError } from './retry.js';
import type { RunMode, RunOptions, RunPair, RunStatement, RunTarget, SessionSource } from './run-options.js';
import { runAlone, runPairOn, runWrite, type JobState } from './session-job.js';

/**
 * Runs `callback` on a session of the account. `callback` may be called several times, so it must start from
 * scratch each time.
 *
 * @throws DatabaseFault when the server rejected a statement; the transaction is rolled back
 * @throws AppError `limit.busy`, `db.unavailable`, `limit.statement_time`, or `db.outcome_unknown` for a
 * write with an unknown outcome
 * @throws WritesPausedError before anything is sent, while writes of the account are paused
 */
export async function runStatements<T>(
  sessions: SessionSource,
  target: RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(sessions, target, options, callback);
    } catch (error) {
      if (attempt >= attemptsMax(error, options.mode)) throw toRunError(error);
      await pauseBefore(attempt);
    }
  }
}

async function runOnce<T>(
  sessions: SessionSource,
  target: RunTarget,
  options: RunOptions,
  callback: (run: RunStatement, runPair: RunPair) => Promise<T>,
): Promise<T> {
  const { mode } = options;
  const session = await sessions.acquire(target.server, target.account, options.waitMs, options.need);
  // Checks for paused writes after waiting for a session, because the first statement follows without another
  // wait.
  if (mode !== 'read' && mode !== 'read_only' && target.account.isPaused?.() === true) {
    sessions.release(session);
    throw new WritesPausedError();
  }
  // For user SQL and dry runs, START TRANSACTION is sent separately, because their statements must not run if
  // it fails. For other transactions, it is sent together with the first statement.
  const job: JobState = {
    statements: 0,
    opening: mode === 'transaction' && options.isUserText !== true ? START : null,
  };
  const changesNothing = mode === 'read' || mode === 'read_only';
  const run: RunStatement = (sql, values, sink, statementMsMax = options.statementMsMax) =>
    runAlone(session, job, () => session.run(sql, values, sink, statementMsMax, changesNothing));
  const runPair: RunPair = (write, read) => runPairOn(session, job, write, read, options.statementMsMax);
  try {
    if (mode === 'read') return await callback(run, runPair);
    if (mode === 'write') return await runWrite(() => callback(run, runPair), job);
    if (mode === 'read_only' || options.isUserText === true) session.raiseFate('reset', 'tenant code ran');
    if (job.opening === null) await session.command(mode === 'read_only' ? START_READ_ONLY : START);
    return await runTransaction(session, mode, () => callback(run, runPair));
  } finally {
    if (session.orphanEnded !== null) options.onLeft?.(session.orphanEnded);
    sessions.release(session);
  }
}

const START = 'START TRANSACTION';
const START_READ_ONLY = 'START TRANSACTION READ ONLY';

export interface CheckOptions {
  readonly waitMs: number;
  /**
   * Whether the server must reject columns that do not depend on the grouped ones. MariaDB does so only if
   * this is set.
   */
  readonly groupsStrictly: boolean;
}

/**
 * Lets the server parse a user's statement and resolve its names with the rights of the account. The
 * statement is not executed. Throws like `runStatements`.
 */
export async function checkStatement(
  sessions: SessionSource,
  target: RunTarget,
  { waitMs, groupsStrictly }: CheckOptions,
  sql: string,
): Promise<void> {
  const session = await sessions.acquire(target.server, target.account, waitMs);
  session.raiseFate('reset', 'tenant code ran');
  try {
    if (groupsStrictly && target.server.engine === 'mariadb') await session.command(GROUP_STRICTLY);
    await session.check(sql);
  } catch (error) {
    throw toRunError(error);
  } finally {
    sessions.release(session);
  }
}

async function runTransaction<T>(
  session: PoolSession,
  mode: RunMode,
  callback: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await callback();
  } catch (error) {
    await rollBack(session);
    throw error;
  }
  if (mode === 'transaction') await commit(session);
  else await rollBack(session);
  return result;
}

/** Rolls the transaction back. If this fails, the session is destroyed. */
export async function rollBack(session: PoolSession): Promise<void> {
  if (session.isLost || session.fate === 'destroy') return;
  try {
    await session.command('ROLLBACK');
  } catch {
    session.destroy('ROLLBACK failed');
  }
}

/**
 * Commits the transaction. If the server rejects the COMMIT, it has rolled back. If it does not respond, the
 * COMMIT may have succeeded.
 */
async function commit(session: PoolSession): Promise<void> {
  try {
    await session.command('COMMIT');
  } catch (error) {
    if (error instanceof ConnectionLostError) throw outcomeUnknown(error);
    await rollBack(session);
    if (isHalfCommitted(error)) throw outcomeUnknown(error);
    throw error;
  }
}
