import { AppError, DEADLOCK, LOCK_WAIT_TIMEOUT, QUERY_INTERRUPTED, UNKNOWN_VARIABLE } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { endHolders, isHeld } from './lock-holders.js';

const BACKOFF_FIRST_MS = 50;
const BACKOFF_MAX_MS = 250;
const DEADLINE_MS = 120_000;
/**
 * The time after which a waiting ALTER is cancelled, in milliseconds. While it waits, it blocks all later
 * statements on the table.
 */
const WAIT_MAX_MS = 40;
/**
 * The number of attempts that fail at once if the table is locked. Later attempts wait for some milliseconds,
 * because the table is too busy to be free at any given moment.
 */
const NOWAIT_ATTEMPTS = 12;

/**
 * A statement that still runs after this time has its locks, because lock waits are shorter. In milliseconds.
 */
const AT_WORK_AFTER_MS = 1_500;

/**
 * The time limit for lock waits of statements that are not DDL, in seconds. For example, reading a table must
 * not wait forever for a change in another session.
 */
const READ_WAIT_SECONDS = 5;

/**
 * Limits an ALTER to one thread. By default, MySQL reads and sorts a table with at least four threads, and
 * each of them may take a CPU core from requests.
 */
const ONE_THREAD = 'SET SESSION innodb_ddl_threads = 1, innodb_parallel_read_threads = 1';

/** Limits how long the session's statements wait for table locks, and how many cores they use. */
export async function prepareShortLocks(
  connection: AdminConnection,
  { engine }: Pick<EngineCapabilities, 'engine'>,
): Promise<void> {
  await connection.run(`SET SESSION lock_wait_timeout = ${READ_WAIT_SECONDS}`);
  if (engine !== 'mysql') return;
  await connection.run(ONE_THREAD).catch((error: unknown) => {
    // MySQL before 8.0.27 and compatible servers lack these variables.
    if (readServerFault(error)?.errno !== UNKNOWN_VARIABLE) throw error;
  });
}

export interface LockWaitOptions {
  readonly capabilities: EngineCapabilities;
  /** Called before each attempt except the first. If the callback throws, no further attempt is made. */
  readonly beforeRetry: (attempts: number) => Promise<void>;
  /** Called once the statement holds its locks. */
  readonly onAtWork?: () => void;
  /** Opens a second session. Its account can see the locks of other sessions and end their statements. */
  readonly watcher: () => Promise<AdminConnection>;
  readonly schemaName: string;
  /** The tables that the statement locks. */
  readonly tables: readonly string[];
  /**
   * If a session holds one of the tables while it is idle in a transaction for this long, the session is
   * ended. Null means that sessions are never ended.
   */
  readonly endHoldersAfterMs: number | null;
}

/**
 * Runs one statement, and retries for up to two minutes while other sessions hold its tables. DDL that waits
 * for a table's lock blocks all later statements on that table. Each attempt therefore fails at once or after
 * some milliseconds.
 */
export function runWithShortLocks(
  connection: AdminConnection,
  sql: string,
  lockWait: LockWaitOptions,
): Promise<void> {
  return persist(connection, lockWait, (attempts) => tryReported(connection, sql, lockWait, attempts));
}

/**
 * A table that a separate session locks for reading during each attempt. With a single session, the server
 * would detect a deadlock among the locks that the session holds and waits for.
 */
export interface Gate {
  readonly table: string;
  readonly session: AdminConnection;
}

/**
 * Runs one statement like `runWithShortLocks`, but first locks the `gates` for reading: the tables whose
 * triggers write to the statement's tables.
 *
 * Without the gates, a concurrent write would hold its own table and wait for the statement's table. The
 * server would end that write as a deadlock. The gates are unlocked before each pause between attempts.
 */
export function runBehindGates(
  connection: AdminConnection,
  sql: string,
  lockWait: LockWaitOptions,
  gates: readonly Gate[],
): Promise<void> {
  return persist(connection, lockWait, async (attempts) => {
    try {
      for (const { table, session } of gates) {
        if (
          !(await tryOnce(
            session,
            `LOCK TABLES ${quoteName(table)} READ`,
            { ...lockWait, tables: [table] },
            attempts,
          ))
        )
          return false;
      }
      return await tryReported(connection, sql, lockWait, attempts);
    } finally {
      await Promise.all(
        gates.filter(({ session }) => !session.isLost()).map(({ session }) => session.run('UNLOCK TABLES')),
      );
    }
  });
}

async function persist(
  connection: AdminConnection,
  lockWait: LockWaitOptions,
  attempt: (attempts: number) => Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now();
  let backoffMs = BACKOFF_FIRST_MS;
  for (let attempts = 1; ; attempts += 1) {
    if (await attempt(attempts)) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > DEADLINE_MS) {
      throw new AppError('db.timeout', {
        detail: 'A session locked the table for two minutes, so the change was not made.',
        hint: 'End long transactions on this table and try again.',
      });
    }
    await lockWait.beforeRetry(attempts);
    if (
      lockWait.endHoldersAfterMs !== null &&
      waitedMs > lockWait.endHoldersAfterMs &&
      lockWait.capabilities.performanceSchema
    ) {
      await endHolders(await lockWait.watcher(), connection.threadId, lockWait.schemaName, lockWait.tables);
    }
    await pause(backoffMs);
    backoffMs = Math.min(backoffMs * 1.5, BACKOFF_MAX_MS);
  }
}

async function tryReported(
  connection: AdminConnection,
  sql: string,
  lockWait: LockWaitOptions,
  attempts: number,
): Promise<boolean> {
  const timer = setTimeout(() => lockWait.onAtWork?.(), AT_WORK_AFTER_MS);
  try {
    return await tryOnce(connection, sql, lockWait, attempts);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tries to run the statement once, with a short wait for its locks. Returns false if a lock was not
 * available.
 */
async function tryOnce(
  connection: AdminConnection,
  sql: string,
  lockWait: LockWaitOptions,
  attempts: number,
): Promise<boolean> {
  const { alterNowait, performanceSchema } = lockWait.capabilities;
  try {
    if (alterNowait && (attempts <= NOWAIT_ATTEMPTS || attempts % 2 === 1 || !performanceSchema)) {
      await runBounded(connection, 0, () => connection.run(sql));
      return true;
    }
    const watcher = await lockWait.watcher();
    // No session holds a table for long now. Waiting for some milliseconds is therefore enough to find a gap
    // between short statements.
    if (
      performanceSchema &&
      (await isHeld(watcher, connection.threadId, lockWait.schemaName, lockWait.tables))
    )
      return false;
    await runBounded(connection, 1, () => runWatched(connection, watcher, sql));
    return true;
  } catch (error) {
    const errno = readServerFault(error)?.errno;
    if (errno === LOCK_WAIT_TIMEOUT || errno === QUERY_INTERRUPTED || errno === DEADLOCK) return false;
    throw error;
  }
}

async function runBounded(
  connection: AdminConnection,
  waitSeconds: number,
  callback: () => Promise<unknown>,
): Promise<void> {
  await connection.run(`SET SESSION lock_wait_timeout = ${waitSeconds}`);
  try {
    await callback();
  } finally {
    if (!connection.isLost()) await connection.run(`SET SESSION lock_wait_timeout = ${READ_WAIT_SECONDS}`);
  }
}

/** Ends the statement if it still waits for a metadata lock after `WAIT_MAX_MS`. */
async function runWatched(connection: AdminConnection, watcher: AdminConnection, sql: string): Promise<void> {
  let isDone = false;
  const running = connection.run(sql).finally(() => {
    isDone = true;
  });
  running.catch(() => undefined);
  while (!isDone) {
    await Promise.race([running.catch(() => undefined), pause(WAIT_MAX_MS)]);
    if (isDone) break;
    const rows = await watcher.rows<{ state: string | null }>(
      `SELECT STATE AS state FROM ${SESSIONS} WHERE ID = ?`,
      [connection.threadId],
    );
    if (!isDone && /metadata lock/i.test(rows[0]?.state ?? ''))
      await watcher.run(`KILL QUERY ${connection.threadId}`).catch(() => undefined);
  }
  await running;
}

/** Waits with the global function `setTimeout`, which tests can replace. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
