import { AppError } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { pause } from './pause.js';

const LOCK_WAIT_TIMEOUT = 1205;
const QUERY_INTERRUPTED = 1317;
const DEADLOCK = 1213;

const BACKOFF_FIRST_MS = 50;
const BACKOFF_MAX_MS = 250;
const DEADLINE_MS = 120_000;
/** On MySQL a waiting ALTER holds up everyone behind it: it is called back after this long. */
const WAIT_MAX_MS = 40;

/** DDL that waits for a table's lock stops every statement behind it. So it does not wait: it fails at once and tries again. */
export async function prepareShortLocks(connection: AdminConnection, capabilities: EngineCapabilities): Promise<void> {
  await connection.run(`SET SESSION lock_wait_timeout = ${capabilities.alterNowait ? 0 : 1}`);
}

export interface LockPatience {
  /** Called before each further try; throws to stop. */
  readonly beforeRetry: (tries: number) => Promise<void>;
  /** MySQL only, which cannot be told not to wait. */
  readonly watch: TableWatch | null;
}

export interface TableWatch {
  /** A second session, under an account that may end the first one's statement. */
  readonly connection: AdminConnection;
  readonly schemaName: string;
  readonly table: string;
}

/** Runs one statement, again and again while sessions hold its table, up to two minutes. */
export async function runWithShortLocks(connection: AdminConnection, sql: string, patience: LockPatience): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  let backoffMs = BACKOFF_FIRST_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      if (patience.watch === null) {
        await connection.run(sql);
        return;
      }
      if (!(await isHeld(connection, patience.watch))) {
        await runWatched(connection, patience.watch.connection, sql);
        return;
      }
    } catch (error) {
      const errno = readServerFault(error)?.errno;
      if (errno !== LOCK_WAIT_TIMEOUT && errno !== QUERY_INTERRUPTED && errno !== DEADLOCK) throw error;
    }
    if (performance.now() > endsAt) {
      throw new AppError('db.timeout', { detail: 'A session has held the table for two minutes: the change was not made.', hint: 'End long transactions on this table and try again.' });
    }
    await patience.beforeRetry(tries);
    await pause(backoffMs);
    backoffMs = Math.min(backoffMs * 1.5, BACKOFF_MAX_MS);
  }
}

const HOLDERS_SQL = `SELECT 1 FROM performance_schema.metadata_locks l JOIN performance_schema.threads t ON t.THREAD_ID = l.OWNER_THREAD_ID
  WHERE l.OBJECT_TYPE = 'TABLE' AND l.OBJECT_SCHEMA = ? AND l.OBJECT_NAME = ? AND l.LOCK_STATUS = 'GRANTED'
    AND t.PROCESSLIST_ID <> ? AND (t.PROCESSLIST_COMMAND = 'Sleep' OR t.PROCESSLIST_TIME > 0) LIMIT 1`;

/** Whether someone holds the table who will not let go in a moment: idle in a transaction, or at it for a second and more. */
async function isHeld(connection: AdminConnection, watch: TableWatch): Promise<boolean> {
  return (await watch.connection.rows(HOLDERS_SQL, [watch.schemaName, watch.table, connection.threadId])).length > 0;
}

/** Ends the statement when it is still waiting for a metadata lock after `WAIT_MAX_MS`. */
async function runWatched(connection: AdminConnection, watcher: AdminConnection, sql: string): Promise<void> {
  let isDone = false;
  const running = connection.run(sql).finally(() => {
    isDone = true;
  });
  running.catch(() => undefined);
  while (!isDone) {
    await Promise.race([running.catch(() => undefined), pause(WAIT_MAX_MS)]);
    if (isDone) break;
    const rows = await watcher.rows<{ state: string | null }>('SELECT PROCESSLIST_STATE AS state FROM performance_schema.threads WHERE PROCESSLIST_ID = ?', [connection.threadId]);
    if (/metadata lock/i.test(rows[0]?.state ?? '')) await watcher.run(`KILL QUERY ${connection.threadId}`).catch(() => undefined);
  }
  await running;
}
