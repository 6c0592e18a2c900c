import type { AppError, FaultLocation } from '@rowhouse/errors';
import { DatabaseFault, ignoreRows, type RunStatement } from '@rowhouse/mysql';
import { insertHalf, isRecordFault, withElement, type Plan, type Statement } from '@rowhouse/rest-engine';

/** The error of a rejected statement, with the statement. */
export class RejectedStatementError extends DatabaseFault {
  /** The location of the rejected element in the request body. Null until `locateRejected` finds it. */
  loc: FaultLocation | null = null;

  constructor(
    fault: DatabaseFault,
    readonly statement: Statement,
  ) {
    super(fault.errno, fault.sqlState, fault.sqlMessage);
    this.name = 'RejectedStatementError';
    this.cause = fault;
    this.isBehindWrite = fault.isBehindWrite;
  }
}

/** Returns the error of a statement together with the statement, if the server rejected it. */
export function toRejected(error: unknown, statement: Statement): unknown {
  return error instanceof DatabaseFault ? new RejectedStatementError(error, statement) : error;
}

/** Returns whether the server rejected an INSERT of several rows, of which any may be the cause. */
export function isSeveralRows(error: unknown): error is RejectedStatementError {
  return error instanceof RejectedStatementError && (error.statement.inserts?.rows.length ?? 0) > 1;
}

/**
 * Finds the element of the request body that the server rejected, and stores its location in the error. For
 * an INSERT of several rows, halves of it are repeated on `run`. The caller must roll their transaction back.
 * The transaction must already contain the plan's earlier statements.
 */
export async function locateRejected(error: unknown, plan: Plan, run: RunStatement): Promise<void> {
  if (!(error instanceof RejectedStatementError) || !('isBulk' in plan)) return;
  // Another error, such as a deadlock, may have ended the transaction, and a repeated statement would then be
  // committed.
  if (!isRecordFault({ errno: error.errno, sqlState: error.sqlState, message: error.sqlMessage }, plan))
    return;
  const { inserts, role, locs } = error.statement;
  const isOne = inserts === undefined || inserts.rows.length === 1;
  const index = isOne
    ? role.kind === 'write'
      ? role.row
      : (inserts?.from ?? null)
    : await findRejectedRow(error, inserts, run);
  const loc = index === null ? undefined : locs === undefined ? ['body', index] : locs[index];
  if (loc !== undefined && (plan.isBulk || locs !== undefined)) error.loc = loc;
}

/**
 * Returns the index of the first row that the server rejects. The rows before it are then stored. Returns
 * null if a part is rejected for another reason.
 */
async function findRejectedRow(
  { errno, statement: whole }: RejectedStatementError,
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
      if (!(error instanceof DatabaseFault) || error.errno !== errno) return null;
      end = start + count;
    }
  }
  return from + start;
}

/** Returns the error of the API with the rejected element of the body, if `locateRejected` found it. */
export function withRejectedElement(error: AppError, fault: DatabaseFault): AppError {
  const loc = fault instanceof RejectedStatementError ? fault.loc : null;
  return loc === null ? error : withElement(error, loc);
}
