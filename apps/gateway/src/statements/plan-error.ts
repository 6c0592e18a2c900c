import type { AppError } from '@rowhouse/errors';
import { DatabaseFault } from '@rowhouse/mysql';
import { isStaleFault, mapDatabaseError, type Plan } from '@rowhouse/rest-engine';
import type { CompiledTable } from '@rowhouse/schema-model';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import { withNamed } from './name-rejected.js';

/**
 * Thrown when a change was committed but its record could not be read back. The change must not be repeated.
 */
export class UnreadableWriteError extends Error {
  constructor(readonly fault: DatabaseFault) {
    super(fault.sqlMessage);
    this.name = 'WrittenUnread';
  }
}
/**
 * Converts an error of the database for the caller. Returns StaleSchema when the database does not know a
 * name of the snapshot.
 */
export function toPlanError(error: unknown, plan: Plan): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.isBehindWrite) return new UnreadableWriteError(error);
  if (isStaleFault(toFault(error), plan)) return new StaleSchemaError(error.errno, error.sqlMessage);
  return toAppFault(error, plan);
}

/** The tables of errors that are not about the request's own table. */
const faultTables = new WeakMap<DatabaseFault, CompiledTable>();

function toFault(fault: DatabaseFault): Parameters<typeof mapDatabaseError>[0] {
  return { errno: fault.errno, sqlState: fault.sqlState, message: fault.sqlMessage };
}

/** Converts an error of the server to an error of the API. */
export function toAppFault(
  fault: DatabaseFault,
  plan: Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>,
): AppError {
  return withNamed(
    mapDatabaseError(toFault(fault), { ...plan, table: faultTables.get(fault) ?? plan.table }),
    fault,
  );
}

/** Records that a fault is about `table`, and not about the request's own one. */
export function noteFaultTable(fault: DatabaseFault, table: CompiledTable): void {
  faultTables.set(fault, table);
}
