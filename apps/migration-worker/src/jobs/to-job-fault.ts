import { AppError, toAppError } from '@rowhouse/errors';
import { readServerFault } from '@rowhouse/mysql';

const TABLESPACE_DISCARDED = 1814;

/** Returns the error that a job or migration ends with. It names what an owner of the database must fix. */
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
