import type { Assignment, DeletePlan, UpdatePlan } from '../plan/plan.js';
import type { DigestCells } from '../response/record-tag.js';
import { guardedProgram } from './guarded-program.js';
import { comparePlaceholder, writePlaceholder } from './placeholder.js';
import { selectList } from './select-list.js';
import type { BoundValue, Statement, StatementProgram } from './statement.js';
import { placedVersionColumns } from './version-columns.js';
import { keySql } from './where.js';

/** The change and the reading back travel together; what is read is the record as it is after the change. */
export function updateProgram(plan: UpdatePlan, digest: DigestCells): StatementProgram {
  const statements: Statement[] = [];
  if (plan.changes.length > 0) statements.push(updateStatement(plan));
  if (plan.answer !== null || plan.changes.length === 0) statements.push(readStatement(plan));
  if (plan.ifMatch !== null) return guardedProgram(plan, plan.ifMatch, statements, digest);
  const isRollback = plan.preferences.transaction === 'rollback';
  return {
    transaction: isRollback ? 'rollback' : 'none',
    lane: isRollback ? 'general' : 'keyed',
    first: { statements, isOrdered: true },
    next: () => null,
  };
}

function updateStatement(plan: UpdatePlan): Statement {
  const params: BoundValue[] = [];
  const changes = plan.changes.map((change) => assignmentSql(change, params)).join(', ');
  const sql = `UPDATE ${plan.table.quoted} SET ${changes} WHERE ${keySql(plan.key, params)}`;
  return { role: { kind: 'write', row: 0 }, sql, params, shape: null };
}

export function assignmentSql(change: Assignment, params: BoundValue[]): string {
  const { column, value } = change;
  params.push(value);
  if (change.kind === 'set') return `${column.quoted} = ${writePlaceholder(column)}`;
  // A text added to an integer would make a double of the sum.
  const operand = column.valueKind === 'integer' ? 'CAST(? AS SIGNED)' : comparePlaceholder(column, value);
  return `${column.quoted} = ${column.quoted} + ${operand}`;
}

function readStatement(plan: UpdatePlan): Statement {
  const params: BoundValue[] = [];
  const list = plan.answer === null ? selectList(plan.table.rowKey ?? [], '', []) : selectList(plan.answer, '', placedVersionColumns(plan.table));
  const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(plan.key, params)}`;
  return { role: { kind: 'records' }, sql, params, shape: list.shape };
}

export function deleteProgram(plan: DeletePlan, digest: DigestCells): StatementProgram {
  const params: BoundValue[] = [];
  const sql = `DELETE FROM ${plan.table.quoted} WHERE ${keySql(plan.key, params)}`;
  const statement: Statement = { role: { kind: 'write', row: 0 }, sql, params, shape: null };
  if (plan.ifMatch !== null) return guardedProgram(plan, plan.ifMatch, [statement], digest);
  const isRollback = plan.preferences.transaction === 'rollback';
  return {
    transaction: isRollback ? 'rollback' : 'none',
    lane: isRollback ? 'general' : 'keyed',
    first: { statements: [statement], isOrdered: true },
    next: () => null,
  };
}
