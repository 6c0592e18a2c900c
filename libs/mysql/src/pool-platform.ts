import { AppError } from '@rowhouse/errors';
import { readServerFault } from './admin-error.js';
import type { AdminSession, AdminValue } from './admin-session.js';
import { createBoundedPool } from './bounded-pool.js';

/** Statements on the platform database that must not hold up a request: each ends within its time, one way or the other. */
export interface PlatformPool extends AdminSession {
  close(): Promise<void>;
}

export interface PlatformPoolOptions {
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** Waiting for a connection and the statement together. */
  readonly statementTimeoutMs: number;
}

/** Throws `platform.unavailable` when the database cannot be reached or does not answer in time. */
export function createPlatformPool(url: string, options: PlatformPoolOptions): PlatformPool {
  const { connectionsMax, connectTimeoutMs, statementTimeoutMs: timeoutMs } = options;
  const pool = createBoundedPool(url, { connectionsMax, connectTimeoutMs, timeoutMs, lockWaitSeconds: 1 });
  return {
    rows: <T>(sql: string, values?: readonly AdminValue[]) => pool.rows<T>(sql, values).catch(throwPlatformError),
    run: (sql, values) => pool.run(sql, values).catch(throwPlatformError),
    close: () => pool.close(),
  };
}

/** No room for a connection; a lock that was waited for too long; the victim of a deadlock, of a write on another node or under its snapshot. */
const BUSY_NUMBERS = new Set([1020, 1040, 1205, 1213]);

/** Connection faults and these only: a refused statement is a defect of ours and stays one. */
function throwPlatformError(error: unknown): never {
  const fault = readServerFault(error);
  if (fault !== null && !fault.isConnectionLost && !BUSY_NUMBERS.has(fault.errno)) throw error;
  throw new AppError('platform.unavailable', { retryAfterSeconds: 1, internal: String(error), cause: error });
}
