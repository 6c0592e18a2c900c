import { AppError, type ErrorCode } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { LeaseLostError } from '@rowhouse/platform-store';

const INTERRUPTING: ReadonlySet<ErrorCode> = new Set([
  'db.unavailable',
  'db.account_refused',
  'platform.unavailable',
]);

/**
 * Returns whether the run was interrupted without a result.
 * The next run determines from the schema what happened.
 */
export function isInterruption(error: unknown): boolean {
  if (error instanceof LeaseLostError) return true;
  if (error instanceof Error && error.name === 'AbortError') return true;
  if (error instanceof AppError && INTERRUPTING.has(error.code)) return true;
  return readServerFault(error)?.isConnectionLost ?? false;
}
