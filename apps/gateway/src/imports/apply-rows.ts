import { AppError } from '@rowhouse/errors';
import { collectRows, DatabaseFault, ignoreRows, type RunStatement } from '@rowhouse/mysql';
import {
  importInserts,
  importUpsert,
  isUpsertRace,
  mayBeUpsertRace,
  type ImportPlan,
  type ImportRow,
  type ImportUpsert,
  type Statement,
} from '@rowhouse/rest-engine';
import { toPlanError } from '../statements/plan-error.js';
import { UPSERT_ATTEMPTS_MAX } from '../statements/run-program.js';

/** A record that the database rejected. */
export interface RejectedRow {
  /** The index among the rows passed to `applyRows`. */
  readonly index: number;
  readonly error: AppError;
}

type CreateRow = Extract<ImportRow, { readonly kind: 'create' }>;

/**
 * Stores rows in the transaction of `run`, and returns those that the database rejects. If an INSERT of
 * several rows is rejected, it has no effect and is repeated in halves. With `isStop`, rows after the first
 * rejected one are not stored. Rejects with errors that are not caused by a single row.
 */
export async function applyRows(
  run: RunStatement,
  plan: ImportPlan,
  rows: readonly ImportRow[],
  isStop: boolean,
): Promise<readonly RejectedRow[]> {
  const rejected: RejectedRow[] = [];
  const isFinished = (): boolean => isStop && rejected.length > 0;
  if (plan.kind === 'create') {
    const creates = rows.filter((row): row is CreateRow => row.kind === 'create');
    await insertRange(0, creates.length, creates);
  } else {
    for (const [index, row] of rows.entries()) {
      if (isFinished()) break;
      if (row.kind === 'upsert')
        await runForRow(index, () =>
          upsertRow(
            run,
            plan,
            importUpsert(row.hasZeroDate === true ? { ...plan, hasZeroDate: true } : plan, row.row),
          ),
        );
    }
  }
  return rejected;

  async function insertRange(start: number, end: number, creates: readonly CreateRow[]): Promise<void> {
    const part = creates.slice(start, end);
    for (const { statement, from, until } of importInserts(
      plan,
      part.map(({ row }) => row),
      part.some(({ hasZeroDate }) => hasZeroDate === true),
    )) {
      if (isFinished()) return;
      const first = start + from;
      const count = until - from;
      const isDone = await runForRow(count === 1 ? first : null, () =>
        run(statement.sql, statement.params, ignoreRows),
      );
      if (isDone) continue;
      const middle = first + Math.ceil(count / 2);
      await insertRange(first, middle, creates);
      await insertRange(middle, start + until, creates);
    }
  }

  /**
   * Runs a statement for the row with this index, or for several rows if it is null. Records a rejected row.
   * Returns false when the statement for several rows was rejected.
   */
  async function runForRow(index: number | null, callback: () => Promise<unknown>): Promise<boolean> {
    try {
      await callback();
      return true;
    } catch (thrownError) {
      const error = thrownError instanceof AppError ? thrownError : toPlanError(thrownError, plan);
      // Errors such as deadlocks affect the whole transaction, and an outdated schema affects the whole
      // import.
      if (!(error instanceof AppError) || error.status >= 500)
        throw thrownError instanceof DatabaseFault && error instanceof AppError ? thrownError : error;
      if (index === null) return false;
      rejected.push({ index, error });
      return true;
    }
  }
}

/**
 * Stores one row by an INSERT or an UPDATE. If a concurrent write creates or deletes the record before the
 * statement runs, the other statement is tried.
 */
async function upsertRow(
  run: RunStatement,
  plan: Extract<ImportPlan, { kind: 'upsert' }>,
  { check, insert, update }: ImportUpsert,
): Promise<void> {
  let isNew = !(await exists());
  for (let attempt = 1; attempt <= UPSERT_ATTEMPTS_MAX; attempt += 1) {
    if (!isNew && update === null) return;
    if (!isNew && update !== null && (await change(update)) > 0) return;
    if (isNew && (await isInserted())) return;
    isNew = !isNew;
  }
  throw new AppError('db.deadlock', {
    retryAfterSeconds: 1,
    internal: 'the record of an upsert came and went',
  });

  async function change(statement: Statement): Promise<number> {
    return (await run(statement.sql, statement.params, ignoreRows)).counts.affectedRows;
  }

  async function isInserted(): Promise<boolean> {
    try {
      await change(insert());
      return true;
    } catch (thrownError) {
      const error = toPlanError(thrownError, plan);
      if (!(error instanceof AppError) || !mayBeUpsertRace(plan, error)) throw thrownError;
      if (isUpsertRace(plan, error) || (await exists())) return false;
      throw thrownError;
    }
  }

  async function exists(): Promise<boolean> {
    return (await run(check.sql, check.params, collectRows({ bytesMax: 1_000 }))).rows.rows.length > 0;
  }
}
