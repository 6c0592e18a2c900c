import type { AppError } from '@rowhouse/errors';
import { DatabaseFault } from '@rowhouse/mysql';
import { isStaleFault, mapDatabaseError, type Plan } from '@rowhouse/rest-engine';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import { RejectedStatementError, withRejectedElement } from './rejected-statement.js';

/**
 * Thrown when a change was committed but its record could not be read back. The change must not be repeated.
 */
export class UnreadableWriteError extends Error {
  constructor(readonly fault: DatabaseFault) {
    super(fault.sqlMessage);
    this.name = 'UnreadableWriteError';
  }
}

/**
 * Converts an error of the database: to a StaleSchemaError when the database does not know a name of the
 * snapshot, to an UnreadableWriteError when the write was committed, and to an AppError otherwise. Other
 * errors are returned unchanged.
 */
export function toPlanError(error: unknown, plan: Plan): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.isBehindWrite) return new UnreadableWriteError(error);
  if (isStaleFault(toFault(error), plan))
    return new StaleSchemaError({ kind: 'server', errno: error.errno, message: error.sqlMessage });
  return toAppFault(error, plan);
}

function toFault(fault: DatabaseFault): Parameters<typeof mapDatabaseError>[0] {
  return { errno: fault.errno, sqlState: fault.sqlState, message: fault.sqlMessage };
}

/** Converts an error of the server to an error of the API, about the table of the rejected statement. */
export function toAppFault(
  fault: DatabaseFault,
  plan: Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>,
): AppError {
  const table = (fault instanceof RejectedStatementError ? fault.statement.table : undefined) ?? plan.table;
  return withRejectedElement(mapDatabaseError(toFault(fault), { ...plan, table }), fault);
}
