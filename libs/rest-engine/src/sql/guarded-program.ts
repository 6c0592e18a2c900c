import { AppError } from '@rowhouse/errors';
import type { DeletePlan, RecordCondition, RecordConditions, UpdatePlan } from '../plan/plan.js';
import type { DigestCells } from '../response/record-tag.js';
import type { ResultSet } from '../response/result-set.js';
import { selectList } from './select-list.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns, versionColumns } from './version-columns.js';
import { keySql } from './where.js';

/** The record is locked and compared with the preconditions, in the order of RFC 9110, section 13.2.2, before `statements` run, all of it in one transaction. */
export function guardedProgram(plan: UpdatePlan | DeletePlan, conditions: RecordConditions, statements: readonly Statement[], digest: DigestCells): StatementProgram {
  return {
    transaction: plan.preferences.transaction === 'rollback' ? 'rollback' : 'commit',
    first: { statements: [lockStatement(plan)], isOrdered: true },
    next: (results) => {
      const [locked] = results;
      if (locked === undefined || results.length > 1) return null;
      if (locked.rowCount === 0) throw new AppError('record.not_found');
      assertHold(plan, conditions, locked, digest);
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

function assertHold(plan: UpdatePlan | DeletePlan, { ifMatch, ifNoneMatch }: RecordConditions, locked: ResultSet, digest: DigestCells): void {
  if (ifMatch !== null && !matches(plan, ifMatch, locked, digest)) throw new AppError('record.stale', { hint: 'Read the record again and repeat the write with its new ETag.' });
  if (ifNoneMatch === null || !matches(plan, ifNoneMatch, locked, digest)) return;
  throw new AppError('record.precondition_failed', {
    detail: ifNoneMatch.kind === 'any' ? 'The record exists, and If-None-Match: * asks that it does not.' : 'The record still is a version that If-None-Match names.',
    hint: 'Nothing was changed. Send the write without If-None-Match if the record may be there.',
  });
}

function matches(plan: UpdatePlan | DeletePlan, condition: RecordCondition, locked: ResultSet, digest: DigestCells): boolean {
  if (condition.kind === 'any') return true;
  const all = versionColumns(plan.table);
  return condition.versions.some(({ columns, digest: wanted }) => digest(columns.map((column) => locked.keyCell(0, all.indexOf(column)))) === wanted);
}
