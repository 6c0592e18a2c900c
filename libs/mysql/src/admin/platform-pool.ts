import { AppError, ROW_CHANGED, TOO_MANY_CONNECTIONS, LOCK_WAIT_TIMEOUT, DEADLOCK } from '@rowhouse/errors';
import { readServerFault } from './admin-session.js';
import type { AdminSession, AdminValue } from './admin-session.js';
import { createBoundedPool } from './bounded-pool.js';

/** Runs statements on the platform database that must not delay a request. Each one has a time limit. */
export interface PlatformPool extends AdminSession {
  close(): Promise<void>;
}

export interface PlatformPoolOptions {
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** The time limit for waiting for a connection and running the statement together. */
  readonly statementTimeoutMs: number;
}

/** Creates the pool. Its methods throw `platform.unavailable` if the database does not respond in time. */
export function createPlatformPool(url: string, options: PlatformPoolOptions): PlatformPool {
  const { connectionsMax, connectTimeoutMs, statementTimeoutMs: timeoutMs } = options;
  const pool = createBoundedPool(url, { connectionsMax, connectTimeoutMs, timeoutMs, lockWaitSeconds: 1 });
  return {
    rows: <T>(sql: string, values?: readonly AdminValue[]) =>
      pool.rows<T>(sql, values).catch(throwPlatformError),
    run: (sql, values) => pool.run(sql, values).catch(throwPlatformError),
    close: () => pool.close(),
  };
}

/**
 * The errors for no free connection, a lock wait timeout, a deadlock, and a conflict with another write.
 */
const BUSY_NUMBERS = new Set([ROW_CHANGED, TOO_MANY_CONNECTIONS, LOCK_WAIT_TIMEOUT, DEADLOCK]);

/**
 * Converts connection faults and lock conflicts to `platform.unavailable`. Any other rejected statement is a
 * defect of the platform, and its error is thrown unchanged.
 */
function throwPlatformError(error: unknown): never {
  const fault = readServerFault(error);
  if (fault !== null && !fault.isConnectionLost && !BUSY_NUMBERS.has(fault.errno)) throw error;
  throw new AppError('platform.unavailable', { retryAfterSeconds: 1, internal: String(error), cause: error });
}
