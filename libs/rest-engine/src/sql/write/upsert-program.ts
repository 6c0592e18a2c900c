import { AppError, validationError } from '@rowhouse/errors';
import type { UpsertPlan, UpsertRow } from '../../plan/plan.js';
import { assignmentSql } from './change-program.js';
import { insertPlain } from './insert-statements.js';
import { claimedColumns, findBroken, rejectBroken } from './guarded-program.js';
import { allowOn } from '../program-parts.js';
import { selectList, type AliasedColumn } from '../read/select-list.js';
import type { BoundValue } from '../../values/cell.js';
import type { Statement, StatementProgram, StatementRound, ResultSet } from '../statement.js';
import { placedVersionColumns } from '../version-columns.js';
import { keySql } from '../condition/where.js';

/**
 * Returns the statements of an upsert.
 *
 * For each record in turn, they search for an existing record by the named key, and then insert or update it.
 * At the end, they read all records back. If a key occurs twice in the body, the second search finds the
 * record that was created for the first. ON DUPLICATE KEY is not used, because it would also change a record
 * that conflicts by another key.
 *
 * If another client writes between the search and the write, the result is a duplicate key or a missing
 * record. The whole program then runs again (`isUpsertRace`).
 */
export function upsertProgram(plan: UpsertPlan): StatementProgram {
  const looks = plan.rows.map((row) => pollStatement(plan, row));
  const locations = new Map(looks.map((check, index) => [check, index]));
  const resume = (index: number): StatementRound => {
    const check = looks[index];
    return check === undefined
      ? { statements: plan.rows.map((row) => readStatement(plan, row)), isOrdered: true }
      : { statements: [check], isOrdered: true };
  };
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: resume(0),
    next: (results) => {
      const last = results.at(-1);
      const role = last?.statement.role;
      if (last === undefined || role === undefined) return null;
      if (role.kind === 'records') return checkClaims(plan, results.slice(-plan.rows.length));
      if (role.kind === 'write') {
        if (last.affectedRows === 0)
          throw new AppError('db.deadlock', { retryAfterSeconds: 1, internal: RECORD_GONE });
        return resume(role.row + 1);
      }
      const index = locations.get(last.statement) ?? 0;
      const row = plan.rows[index];
      const writes = row === undefined ? [] : writeStatements(plan, row, index, last.rowCount === 0);
      return writes.length === 0 ? resume(index + 1) : { statements: writes, isOrdered: true };
    },
  };
}

/** Compares the values that the body has for generated columns with the final records. */
function checkClaims(plan: UpsertPlan, records: readonly ResultSet[]): null {
  const columns = claimedColumns(plan.rows.flatMap(({ claims }) => claims ?? NOTHING));
  if (columns.length === 0) return null;
  const from = retainedBefore(plan).length;
  rejectBroken(
    plan.rows.flatMap(({ claims }, index) => {
      const record = records[index];
      if (claims === undefined || record === undefined || record.rowCount === 0) return [];
      return findBroken(claims, (column) => record.keyCell(0, from + columns.indexOf(column)));
    }),
  );
  return null;
}

/** Throws 422 if the values are not sufficient to create a record. */
export function assertCreatable({ insertFaults }: UpsertRow): void {
  if (insertFaults.length > 0) throw validationError('body.invalid', insertFaults);
}

const RECORD_GONE = 'the record of an upsert was removed between look and write';

/**
 * Reports whether the upsert lost a race with another writer. A repetition of the upsert finds the current
 * record.
 */
export function isUpsertRace(plan: UpsertPlan, error: AppError): boolean {
  return (
    (error.code === 'record.duplicate' && error.extra?.['constraint'] === plan.constraint) ||
    error.internal === RECORD_GONE
  );
}

/**
 * Reports whether the upsert may have lost a race with another writer. If both create the same record, the
 * error names the unique key that the server checks first, which may be another key.
 */
export function mayBeUpsertRace(plan: UpsertPlan, error: AppError): boolean {
  return error.code === 'record.duplicate' || isUpsertRace(plan, error);
}

const NOTHING: readonly never[] = Object.freeze([]);

export function pollStatement(plan: UpsertPlan, row: UpsertRow): Statement {
  const params: BoundValue[] = [];
  const list = selectList(NOTHING, '', NOTHING);
  return {
    role: { kind: 'lock' },
    sql: `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(row.key, params)}`,
    params,
    shape: list.shape,
  };
}

export function writeStatements(
  plan: UpsertPlan,
  row: UpsertRow,
  index: number,
  isNew: boolean,
): Statement[] {
  if (isNew) {
    assertCreatable(row);
    return insertPlain(plan.table, [row.insert], 1).map((statement) => ({
      ...allow(plan, statement),
      role: { kind: 'write', row: index },
    }));
  }
  if (plan.resolution === 'ignore' || row.changes.length === 0) return [];
  const params: BoundValue[] = [];
  const changes = row.changes.map((change) => assignmentSql(change, params)).join(', ');
  return [
    allow(plan, {
      role: { kind: 'write', row: index },
      sql: `UPDATE ${plan.table.quoted} SET ${changes} WHERE ${keySql(row.key, params)}`,
      params,
      shape: null,
    }),
  ];
}

function allow({ hasZeroDate, table }: UpsertPlan, statement: Statement): Statement {
  return hasZeroDate === true ? allowOn(statement, table.schema.engine) : statement;
}

function readStatement(plan: UpsertPlan, row: UpsertRow): Statement {
  const claimed = claimedColumns(plan.rows.flatMap(({ claims }) => claims ?? NOTHING)).map((column) => ({
    alias: '',
    column,
  }));
  const list = selectList(plan.returned, '', [...retainedBefore(plan), ...claimed]);
  const params: BoundValue[] = [];
  return {
    role: { kind: 'records' },
    sql: `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(row.key, params)}`,
    params,
    shape: list.shape,
  };
}

/** Returns the columns that are retained for each record: its key and its version. */
function retainedBefore(plan: UpsertPlan): readonly AliasedColumn[] {
  const keys = (plan.table.rowKey ?? NOTHING).map((column) => ({ alias: '', column }));
  return hasUpsertTag(plan) ? [...keys, ...placedVersionColumns(plan.table)] : keys;
}

export function hasUpsertTag(plan: UpsertPlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null;
}

/** Returns the number of searches that found no record. */
export function countInserted(results: readonly ResultSet[]): number {
  return results.filter((result) => result.statement.role.kind === 'lock' && result.rowCount === 0).length;
}
