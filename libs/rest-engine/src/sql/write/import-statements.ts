import { defect } from '@rowhouse/errors';
import type { ImportPlan } from '../../import/plan-import.js';
import type { RowValues } from '../../plan/plan-parts.js';
import type { UpsertPlan, UpsertRow } from '../../plan/plan.js';
import { insertPlain } from './insert-statements.js';
import { allowOn } from '../program-parts.js';
import type { Statement } from '../statement.js';
import { pollStatement, writeStatements } from './upsert-program.js';

/** The maximum number of rows in one INSERT. */
const ROWS_PER_STATEMENT = 256;

/** An INSERT for the rows from `from` up to, but excluding, `until`. */
export interface ImportInsert {
  readonly statement: Statement;
  readonly from: number;
  readonly until: number;
}

export function importInserts(
  plan: ImportPlan,
  rows: readonly RowValues[],
  hasZeroDate = false,
): ImportInsert[] {
  const plain = insertPlain(plan.table, rows, ROWS_PER_STATEMENT);
  const statements = hasZeroDate
    ? plain.map((statement) => allowOn(statement, plan.table.schema.engine))
    : plain;
  const starts = statements.map(({ role }) => (role.kind === 'write' ? role.row : 0));
  return statements.map((statement, index) => ({
    statement,
    from: starts[index] ?? 0,
    until: starts[index + 1] ?? rows.length,
  }));
}

/** The statements of an upsert for one record of an import. */
export interface ImportUpsert {
  /** The statement that returns a row if the record already exists. */
  readonly check: Statement;
  /**
   * Returns the statement that creates the record. Throws 422 if the values are not sufficient to create it.
   */
  readonly insert: () => Statement;
  /** The statement that changes an existing record. Null if existing records remain unchanged. */
  readonly update: Statement | null;
}

export function importUpsert(plan: UpsertPlan, row: UpsertRow): ImportUpsert {
  const insert = (): Statement => {
    const [statement] = writeStatements(plan, row, 0, true);
    if (statement === undefined) return defect('an import of a new record without a statement');
    return statement;
  };
  return { check: pollStatement(plan, row), insert, update: writeStatements(plan, row, 0, false)[0] ?? null };
}
