import { setTimeout as pause } from 'node:timers/promises';
import {
  AppError,
  COMMIT_FAILED,
  DEADLOCK,
  NODE_NOT_READY,
  ROW_CHANGED,
  TIMEOUT_NUMBERS,
} from '@rowhouse/errors';
import { ConnectionLostError, DatabaseFault, isLockFault, isNodeUnavailable } from '../faults.js';
import type { RunMode } from './run-options.js';

/**
 * The server rolled the statement back because of a deadlock. While a table is rebuilt, the tenant's write is
 * always the one that fails. It conflicts with the copy about rows, and on MySQL also with the ALTER of the
 * shadow table about metadata locks.
 */
const DEADLOCK_NUMBERS = [ROW_CHANGED, DEADLOCK];
/**
 * Errors that the server returns at once, so there is time for many attempts. A node that has left its
 * cluster responds with one of them.
 */
const REJECTED_AT_ONCE = new Set([...DEADLOCK_NUMBERS, NODE_NOT_READY]);
const REJECTED_ATTEMPTS_MAX = 9;
const PAUSE_FIRST_MS = 8;
const PAUSE_MAX_MS = 150;

/** Returns how often a job that failed with this error may run, including the runs so far. */
export function attemptsMax(error: unknown, mode: RunMode): number {
  if (!isRetryable(error, mode)) return 1;
  return error instanceof DatabaseFault && REJECTED_AT_ONCE.has(error.errno) ? REJECTED_ATTEMPTS_MAX : 2;
}

/** Waits before the next attempt. The first retry has no pause. */
export async function pauseBefore(attempt: number): Promise<void> {
  if (attempt > 1)
    await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (attempt - 2)) * (0.5 + Math.random()));
}

/** Returns whether a job that failed with this error may run again. */
export function isRetryable(error: unknown, mode: RunMode): boolean {
  if (error instanceof DatabaseFault)
    return (isLockFault(error) || isNodeUnavailable(error)) && !error.isBehindWrite;
  // If a session is lost in mode `write`, the outcome of the write is unknown. In a transaction, nothing was
  // committed yet.
  return error instanceof ConnectionLostError && !error.isTimeout && mode !== 'write';
}

/**
 * Converts rejections and lost sessions to errors for callers. A DatabaseFault that is not a timeout is
 * returned unchanged.
 */
export function toRunError(error: unknown): unknown {
  if (error instanceof DatabaseFault && !error.isBehindWrite && TIMEOUT_NUMBERS.has(error.errno))
    return new AppError('limit.statement_time', { internal: error.sqlMessage, cause: error });
  if (error instanceof DatabaseFault && !error.isBehindWrite && isNodeUnavailable(error))
    return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.sqlMessage, cause: error });
  if (!(error instanceof ConnectionLostError)) return error;
  if (error.isTimeout) return new AppError('limit.statement_time', { internal: error.message, cause: error });
  return new AppError('db.unavailable', { retryAfterSeconds: 1, internal: error.message, cause: error });
}

/** Returns whether the COMMIT failed because the node lost its cluster during replication. */
export function isHalfCommitted(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && error.errno === COMMIT_FAILED && !error.isBehindWrite;
}

export function outcomeUnknown(error: ConnectionLostError | DatabaseFault): AppError {
  return new AppError('db.outcome_unknown', { internal: error.message, cause: error });
}
