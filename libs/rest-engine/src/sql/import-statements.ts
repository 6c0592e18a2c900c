import type { ImportPlan } from '../import/plan-import.js';
import type { RowValues, UpsertPlan, UpsertRow } from '../plan/plan.js';
import { insertPlain } from './insert-statements.js';
import { allowOn } from './odd-days.js';
import type { Statement } from './statement.js';
import { lookStatement, writeStatements } from './upsert-program.js';

/** Rows of one INSERT; its text depends on their number and columns. */
const ROWS_PER_STATEMENT = 256;

/** INSERTs for rows in their order; `from` and `until` tell which of them each holds. */
export interface ImportInsert {
  readonly statement: Statement;
  readonly from: number;
  readonly until: number;
}

export function importInserts(plan: ImportPlan, rows: readonly RowValues[], hasOddDays = false): ImportInsert[] {
  const plain = insertPlain(plan.table, rows, ROWS_PER_STATEMENT);
  const statements = hasOddDays ? plain.map((statement) => allowOn(statement, plan.table.schema.engine)) : plain;
  const starts = statements.map(({ role }) => (role.kind === 'write' ? role.row : 0));
  return statements.map((statement, at) => ({ statement, from: starts[at] ?? 0, until: starts[at + 1] ?? rows.length }));
}

/** One record that is created, or changed where there is one with its key. */
export interface ImportUpsert {
  /** Gives a row where there is one. */
  readonly look: Statement;
  /** Throws 422 where nothing can be created from the values. */
  readonly insert: () => Statement;
  /** Null: a record that is there stays as it is. */
  readonly update: Statement | null;
}

export function importUpsert(plan: UpsertPlan, row: UpsertRow): ImportUpsert {
  const insert = (): Statement => {
    const [statement] = writeStatements(plan, row, 0, true);
    if (statement === undefined) throw new Error('a new record is inserted');
    return statement;
  };
  return { look: lookStatement(plan, row), insert, update: writeStatements(plan, row, 0, false)[0] ?? null };
}
