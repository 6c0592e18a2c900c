import { AppError } from '@rowhouse/errors';
import type { DeletePlan, RecordCondition, UpdatePlan } from '../plan/plan.js';
import type { DigestCells } from '../response/record-tag.js';
import type { ResultSet } from '../response/result-set.js';
import { selectList } from './select-list.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns, versionColumns } from './version-columns.js';
import { keySql } from './where.js';

/** The record is locked and compared with `If-Match` before `statements` run, all of it in one transaction. */
export function guardedProgram(plan: UpdatePlan | DeletePlan, condition: RecordCondition, statements: readonly Statement[], digest: DigestCells): StatementProgram {
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: [lockStatement(plan)], isOrdered: true },
    next: (results) => {
      const [locked] = results;
      if (locked === undefined || results.length > 1) return null;
      if (locked.rowCount === 0) throw new AppError('record.not_found');
      if (!holds(plan, condition, locked, digest)) throw new AppError('record.stale', { hint: 'Read the record again and repeat the write with its new ETag.' });
      return { statements, isOrdered: true };
    },
  };
}

const NOTHING: readonly never[] = Object.freeze([]);

function lockStatement(plan: UpdatePlan | DeletePlan): Statement {
  const list = selectList(NOTHING, '', placedVersionColumns(plan.table));
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(plan.key, params)} FOR UPDATE`;
  return { role: { kind: 'lock' }, sql, params, shape: list.shape };
}

function holds(plan: UpdatePlan | DeletePlan, condition: RecordCondition, locked: ResultSet, digest: DigestCells): boolean {
  if (condition.kind === 'any') return true;
  const all = versionColumns(plan.table);
  return condition.versions.some(({ columns, digest: wanted }) => digest(columns.map((column) => locked.keyCell(0, all.indexOf(column)))) === wanted);
}
