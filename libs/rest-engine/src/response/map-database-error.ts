import type { AppError } from '@rowhouse/errors';
import type { Plan } from '../plan/plan.js';

/** What a driver tells of a refused statement. */
export interface DatabaseFault {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

/** As the caller may know it; the database's own text goes to `internal` alone, but for SIGNAL '45000'. */
export function mapDatabaseError(_fault: DatabaseFault, _plan: Plan): AppError {
  throw new Error("not filled in");
}
