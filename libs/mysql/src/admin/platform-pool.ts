import { AppError } from '@rowhouse/errors';
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

/** Throws `platform.unavailable` when the database cannot be reached or does not respond in time. */
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
 * No free connection, a lock wait timeout, a deadlock, or a conflict with a write on another node or under
 * the snapshot.
 */
const BUSY_NUMBERS = new Set([1020, 1040, 1205, 1213]);

/** Only connection faults are converted. A rejected statement stays a defect of the platform. */
function throwPlatformError(error: unknown): never {
  const fault = readServerFault(error);
  if (fault !== null && !fault.isConnectionLost && !BUSY_NUMBERS.has(fault.errno)) throw error;
  throw new AppError('platform.unavailable', { retryAfterSeconds: 1, internal: String(error), cause: error });
}
