import { AppError } from '@rowhouse/errors';
import { DatabaseFault, ignoreRows, type RunStatement } from '@rowhouse/mysql';
import { insertHalf, isRecordFault, withElement, type Plan, type Statement } from '@rowhouse/rest-engine';

type Loc = readonly (string | number)[];

/** The rejected statement of each error, and the rejected member of the body. */
const rejected = new WeakMap<DatabaseFault, Statement>();
const named = new WeakMap<DatabaseFault, Loc>();

/** Records the statement that caused the fault. */
export function noteRejected(fault: DatabaseFault, statement: Statement): void {
  rejected.set(fault, statement);
}

/** Returns whether a second attempt can find which of several rows was rejected. */
export function isOfRows(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && (rejected.get(error)?.inserts?.rows.length ?? 0) > 1;
}

/**
 * Finds the rejected element of the body. `run` repeats an INSERT of several rows in parts. It uses a
 * transaction that the caller rolls back. The transaction already includes the statements before this one.
 */
export async function nameRejected(error: unknown, plan: Plan, run: RunStatement): Promise<void> {
  const statement = error instanceof DatabaseFault ? rejected.get(error) : undefined;
  if (!(error instanceof DatabaseFault) || statement === undefined || !('isBulk' in plan)) return;
  // After a deadlock the transaction is gone, and statements would be committed.
  if (!isRecordFault({ errno: error.errno, sqlState: error.sqlState, message: error.sqlMessage }, plan))
    return;
  const { inserts, role, locs } = statement;
  const isOne = inserts === undefined || inserts.rows.length === 1;
  const index = isOne
    ? role.kind === 'write'
      ? role.row
      : (inserts?.from ?? null)
    : await findRejected(error, statement, inserts, run);
  const loc = index === null ? undefined : locs === undefined ? ['body', index] : locs[index];
  if (loc !== undefined && (plan.isBulk || locs !== undefined)) named.set(error, loc);
}

/**
 * Returns the position of the first row that is rejected after the rows before it are stored. Returns null
 * when a part is rejected for another reason.
 */
async function findRejected(
  fault: DatabaseFault,
  whole: Statement,
  { table, rows, from }: NonNullable<Statement['inserts']>,
  run: RunStatement,
): Promise<number | null> {
  let start = 0;
  let end = rows.length;
  while (end - start > 1) {
    const { statement, count } = insertHalf(whole, table, rows.slice(start, end));
    try {
      await run(statement.sql, statement.params, ignoreRows);
      start += count;
    } catch (error) {
      if (!(error instanceof DatabaseFault) || error.errno !== fault.errno) return null;
      end = start + count;
    }
  }
  return from + start;
}

/** Returns the error with the element that `nameRejected` found, if any. */
export function withNamed(error: AppError, fault: DatabaseFault): AppError {
  const loc = named.get(fault);
  return loc === undefined ? error : withElement(error, loc);
}
