import { AppError } from '@rowhouse/errors';
import type { UpsertPlan, UpsertRow } from '../plan/plan.js';
import type { ResultSet } from '../response/result-set.js';
import { assignmentSql } from './change-program.js';
import { insertPlain } from './insert-statements.js';
import { selectList } from './select-list.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns } from './version-columns.js';
import { keySql } from './where.js';

/**
 * Looks, then inserts or updates by the key that was named, then reads back. ON DUPLICATE KEY would also change a
 * record that is in the way by another key. What comes between look and write shows as a duplicate of the key or as a
 * record that is gone: the whole program runs again then (`isUpsertRace`).
 */
export function upsertProgram(plan: UpsertPlan): StatementProgram {
  const looks = plan.rows.map((row) => lookStatement(plan, row));
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: looks, isOrdered: true },
    next: (results) => {
      const count = plan.rows.length;
      const reads = plan.rows.map((row) => readStatement(plan, row));
      if (results.length === count) {
        const writes = plan.rows.flatMap((row, at) => writeStatements(plan, row, at, results[at]?.rowCount === 0));
        return { statements: writes.length === 0 ? reads : writes, isOrdered: true };
      }
      if (results.some((result) => result.statement.role.kind === 'records')) return null;
      if (results.slice(count).some((result) => result.affectedRows === 0)) throw new AppError('db.deadlock', { retryAfterSeconds: 1, internal: RECORD_GONE });
      return { statements: reads, isOrdered: true };
    },
  };
}

const RECORD_GONE = 'the record of an upsert was removed between look and write';

/** Whether another writer came in between: running again finds what is there now. */
export function isUpsertRace(plan: UpsertPlan, error: AppError): boolean {
  return (error.code === 'record.duplicate' && error.extra?.['constraint'] === plan.constraint) || error.internal === RECORD_GONE;
}

const NOTHING: readonly never[] = Object.freeze([]);

export function lookStatement(plan: UpsertPlan, row: UpsertRow): Statement {
  const params: BoundValue[] = [];
  const list = selectList(NOTHING, '', NOTHING);
  return { role: { kind: 'lock' }, sql: `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(row.key, params)}`, params, shape: list.shape };
}

export function writeStatements(plan: UpsertPlan, row: UpsertRow, at: number, isNew: boolean): Statement[] {
  if (isNew) return insertPlain(plan.table, [row.insert], 1).map((statement) => ({ ...statement, role: { kind: 'write', row: at } }));
  if (plan.resolution === 'ignore' || row.changes.length === 0) return [];
  const params: BoundValue[] = [];
  const changes = row.changes.map((change) => assignmentSql(change, params)).join(', ');
  return [{ role: { kind: 'write', row: at }, sql: `UPDATE ${plan.table.quoted} SET ${changes} WHERE ${keySql(row.key, params)}`, params, shape: null }];
}

function readStatement(plan: UpsertPlan, row: UpsertRow): Statement {
  const keys = (plan.table.rowKey ?? NOTHING).map((column) => ({ alias: '', column }));
  const list = selectList(plan.answer, '', hasUpsertTag(plan) ? [...keys, ...placedVersionColumns(plan.table)] : keys);
  const params: BoundValue[] = [];
  return { role: { kind: 'records' }, sql: `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(row.key, params)}`, params, shape: list.shape };
}

export function hasUpsertTag(plan: UpsertPlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null;
}

/** How many of the looks found nothing. */
export function countInserted(plan: UpsertPlan, results: readonly ResultSet[]): number {
  return results.slice(0, plan.rows.length).filter((result) => result.rowCount === 0).length;
}
