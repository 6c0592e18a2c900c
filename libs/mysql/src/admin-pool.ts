import { readServerFault } from './admin-error.js';
import type { AdminSession, AdminValue } from './admin-session.js';
import { createBoundedPool } from './bounded-pool.js';

export interface AdminPool extends AdminSession {
  /** Runs `work` in one transaction; run again (up to 5 times) when it met a deadlock, so `work` must be safe to repeat. */
  transaction<T>(work: (session: AdminSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const DEADLOCK_TRIES_MAX = 5;
const CONNECT_TIMEOUT_MS = 5_000;
/** Above a worker's lease: whoever waits so long has lost it. */
const TIMEOUT_MS = 8_000;
const LOCK_WAIT_SECONDS = 5;
/** MySQL looks once a second whether a wait is over, and what it then answers takes its time. */
const LOCK_WAIT_MARGIN_SECONDS = 2;

/** A deadlock, a row changed under the snapshot, or a lock wait that ran out: the server has rolled back, so the whole may be sent again. */
function isRolledBack(error: unknown): boolean {
  const errno = readServerFault(error)?.errno;
  return errno === 1213 || errno === 1205 || errno === 1020;
}

/** For statements that are a transaction of their own. Beyond `timeoutMs` none is begun again. */
async function retryRolledBack<T>(timeoutMs: number, send: () => Promise<T>): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isRolledBack(error) || attempt >= DEADLOCK_TRIES_MAX || performance.now() >= endsAtMs) throw error;
    }
  }
}

/**
 * A small pool for a worker's own statements on the platform database. A statement that is not answered in `timeoutMs`,
 * or that waits for a connection so long, fails as one whose connection was lost.
 */
export function createAdminPool(url: string, options: { readonly connectionsMax: number; readonly timeoutMs?: number }): AdminPool {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const lockWaitSeconds = Math.max(1, Math.min(LOCK_WAIT_SECONDS, Math.floor(timeoutMs / 1_000) - LOCK_WAIT_MARGIN_SECONDS));
  const pool = createBoundedPool(url, { connectionsMax: options.connectionsMax, connectTimeoutMs: CONNECT_TIMEOUT_MS, timeoutMs, lockWaitSeconds });
  return {
    rows: <T>(sql: string, values?: readonly AdminValue[]) => retryRolledBack(timeoutMs, () => pool.rows<T>(sql, values)),
    run: (sql, values) => retryRolledBack(timeoutMs, () => pool.run(sql, values)),
    transaction: (work) => retryRolledBack(timeoutMs, () => pool.transaction(work)),
    close: () => pool.close(),
  };
}
