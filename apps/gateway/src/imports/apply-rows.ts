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
export interface RefusedRow {
  readonly at: number;
  readonly error: AppError;
}

type CreateRow = Extract<ImportRow, { readonly kind: 'create' }>;

/**
 * Stores rows in the transaction of `run`, except those that the database rejects. A rejected statement has
 * no effect, so it is halved until the offending rows are found. With `isStop`, nothing after the first of
 * them is stored. Rejects with errors that do not concern a single row.
 */
export async function applyRows(
  run: RunStatement,
  plan: ImportPlan,
  rows: readonly ImportRow[],
  isStop: boolean,
): Promise<readonly RefusedRow[]> {
  const rejected: RefusedRow[] = [];
  const isFinished = (): boolean => isStop && rejected.length > 0;
  if (plan.kind === 'create') {
    const creates = rows.filter((row): row is CreateRow => row.kind === 'create');
    await insertRange(0, creates.length, creates);
  } else {
    for (const [index, row] of rows.entries()) {
      if (isFinished()) break;
      if (row.kind === 'upsert')
        await judge(index, () =>
          upsertRow(
            run,
            plan,
            importUpsert(row.hasOddDays === true ? { ...plan, hasOddDays: true } : plan, row.row),
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
      part.some(({ hasOddDays }) => hasOddDays === true),
    )) {
      if (isFinished()) return;
      const first = start + from;
      const count = until - from;
      const isDone = await judge(count === 1 ? first : null, () =>
        run(statement.sql, statement.params, ignoreRows),
      );
      if (isDone) continue;
      const middle = first + Math.ceil(count / 2);
      await insertRange(first, middle, creates);
      await insertRange(middle, start + until, creates);
    }
  }

  /**
   * Returns true when the work is done, or when its single row was recorded as rejected. Returns false when
   * any of several rows may be the cause.
   */
  async function judge(index: number | null, callback: () => Promise<unknown>): Promise<boolean> {
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
      rejected.push({ at: index, error });
      return true;
    }
  }
}

/**
 * Stores one row. A concurrent write shows as a duplicate key or a missing record, and then the other
 * statement is tried.
 */
async function upsertRow(
  run: RunStatement,
  plan: Extract<ImportPlan, { kind: 'upsert' }>,
  { check, insert, update }: ImportUpsert,
): Promise<void> {
  let isNew = !(await isThere());
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
      if (isUpsertRace(plan, error) || (await isThere())) return false;
      throw thrownError;
    }
  }

  async function isThere(): Promise<boolean> {
    return (await run(check.sql, check.params, collectRows({ bytesMax: 1_000 }))).rows.rows.length > 0;
  }
}
