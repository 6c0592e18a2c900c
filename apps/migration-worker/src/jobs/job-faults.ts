import type { TaskError } from '@rowhouse/contracts';
import { AppError, toAppError, type ErrorCode, TABLESPACE_DISCARDED } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';
import { LeaseLostError } from '@rowhouse/platform-store';

/** Errors after which a job may continue, because the server or the platform was not reached. */
const INTERRUPTING: ReadonlySet<ErrorCode> = new Set([
  'db.unavailable',
  'db.account_refused',
  'platform.unavailable',
]);

/**
 * Returns the error that a job or migration ends with. The error names what an owner of the database must
 * fix.
 */
export function toJobFault(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error;
  const fault = readServerFault(cause);
  if (fault?.errno !== TABLESPACE_DISCARDED) return toAppError(error);
  const table = /[`'](?:[^`'/]+\/)?([^`'/]+)[`']/.exec(fault.message)?.[1] ?? null;
  return new AppError('schema.broken_object', {
    detail:
      table === null
        ? 'The tablespace of a table has been discarded.'
        : `The tablespace of the table ${table} has been discarded.`,
    hint:
      'Over an owner connection, drop the table, or restore its file with ALTER TABLE … IMPORT ' +
      'TABLESPACE.',
    extra: { ...(table === null ? {} : { table }), errno: fault.errno },
    cause: error,
  });
}

/** Returns the error as it is stored in the row of a job. */
export function toTaskError(error: AppError): TaskError {
  return {
    code: error.code,
    detail: error.detail,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(Object.keys(error.extra).length === 0 ? {} : { extra: error.extra }),
  };
}

/**
 * Returns whether a job was interrupted without a result, so that
 * the worker that claims it next must determine what happened.
 */
export function isInterruption(error: unknown): boolean {
  if (error instanceof LeaseLostError) return true;
  if (error instanceof Error && error.name === 'AbortError') return true;
  if (error instanceof AppError && INTERRUPTING.has(error.code)) return true;
  return readServerFault(error)?.isConnectionLost ?? false;
}
