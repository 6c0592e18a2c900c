import type { CreatePlan } from '../plan/plan.js';
import { insertPart } from './insert-part.js';
import { isReturnedAsStored } from './insert-statements.js';
import { selectList, type SelectList } from './select-list.js';
import type { StatementProgram } from './statement.js';
import { placedVersionColumns } from './version-columns.js';

export function createProgram(plan: CreatePlan, hasReturning: boolean): StatementProgram {
  const isRollback = plan.preferences.transaction === 'rollback';
  const list = answerList(plan);
  const part = insertPart({ table: plan.table, rows: plan.rows, list, role: 'records', hasReturning });
  const isOneStatement = part.first.statements.length === 1 && (list === null || (hasReturning && isReturnedAsStored(plan.table)));
  return {
    transaction: isRollback ? 'rollback' : isOneStatement ? 'none' : 'commit',
    ...part,
  };
}

/** What comes back of each record: the answer's columns, or its key; null where it has none. */
function answerList(plan: CreatePlan): SelectList | null {
  const key = plan.table.rowKey;
  if (key === null) return null;
  const place = key.map((column) => ({ alias: '', column }));
  return selectList(plan.answer ?? key, '', hasTag(plan) ? [...place, ...placedVersionColumns(plan.table)] : place);
}

/** One record has a version, told to keys that may read it: they may also name it in `If-Match`. */
export function hasTag(plan: CreatePlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null && plan.table.verbs.includes('read');
}
