import { DEADLOCK, LOCK_WAIT_TIMEOUT, ROW_CHANGED } from '@rowhouse/errors';
import { readServerFault } from './admin-session.js';
import type { AdminSession, AdminValue } from './admin-session.js';
import { createBoundedPool } from './bounded-pool.js';

export interface AdminPool extends AdminSession {
  /**
   * Runs `callback` in one transaction. After a deadlock, `callback` runs again, up to 5 times in all, so it
   * must be safe to repeat.
   */
  transaction<T>(callback: (session: AdminSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const DEADLOCK_ATTEMPTS_MAX = 5;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * The time limit of a statement. It is longer than a worker's lease, so a worker that waited this long has
 * lost its lease.
 */
const TIMEOUT_MS = 8_000;
const LOCK_WAIT_SECONDS = 5;
/** MySQL checks once a second whether a lock wait has expired, and its response takes time too. */
const LOCK_WAIT_MARGIN_SECONDS = 2;

/**
 * Returns whether the error is a deadlock, an expired lock wait, or a row that changed after the
 * transaction's snapshot. In each case, the server has rolled back the transaction, so the work can be
 * repeated.
 */
function isRolledBack(error: unknown): boolean {
  const errno = readServerFault(error)?.errno;
  return errno === DEADLOCK || errno === LOCK_WAIT_TIMEOUT || errno === ROW_CHANGED;
}

/**
 * Repeats work that the server rolled back, up to a maximum number of attempts. No attempt starts after
 * `timeoutMs`.
 */
async function retryRolledBack<T>(timeoutMs: number, send: () => Promise<T>): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isRolledBack(error) || attempt >= DEADLOCK_ATTEMPTS_MAX || performance.now() >= endsAtMs)
        throw error;
    }
  }
}

/**
 * Creates a small pool for a worker's own statements on the platform database. If a statement gets no
 * response or no connection within `timeoutMs`, it fails with the error of a lost connection.
 */
export function createAdminPool(
  url: string,
  options: { readonly connectionsMax: number; readonly timeoutMs?: number },
): AdminPool {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const lockWaitSeconds = Math.max(
    1,
    Math.min(LOCK_WAIT_SECONDS, Math.floor(timeoutMs / 1_000) - LOCK_WAIT_MARGIN_SECONDS),
  );
  const pool = createBoundedPool(url, {
    connectionsMax: options.connectionsMax,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    timeoutMs,
    lockWaitSeconds,
  });
  return {
    rows: <T>(sql: string, values?: readonly AdminValue[]) =>
      retryRolledBack(timeoutMs, () => pool.rows<T>(sql, values)),
    run: (sql, values) => retryRolledBack(timeoutMs, () => pool.run(sql, values)),
    transaction: (callback) => retryRolledBack(timeoutMs, () => pool.transaction(callback)),
    close: () => pool.close(),
  };
}
