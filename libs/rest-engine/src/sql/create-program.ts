import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreatePlan } from '../plan/plan.js';
import { insertPart } from './insert-part.js';
import { isReturnedAsStored } from './insert-statements.js';
import { selectList, type PlacedColumn, type SelectList } from './select-list.js';
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
  const { plain, tagged } = keptCells(plan.table, key);
  return selectList(plan.answer ?? key, '', hasTag(plan) ? tagged : plain);
}

interface KeptCells {
  /** The key, which the address of the record is made of. */
  readonly plain: readonly PlacedColumn[];
  /** And the stored columns behind it. */
  readonly tagged: readonly PlacedColumn[];
}

/** Made once for each table: a list is found by the identity of the cells that it keeps. */
const kept = new WeakMap<CompiledTable, KeptCells>();

function keptCells(table: CompiledTable, key: readonly CompiledColumn[]): KeptCells {
  let cells = kept.get(table);
  if (cells === undefined) {
    const plain = key.map((column) => ({ alias: '', column }));
    kept.set(table, (cells = { plain, tagged: [...plain, ...placedVersionColumns(table)] }));
  }
  return cells;
}

/** One record has a version, told to keys that may read it: they may also name it in `If-Match`. */
export function hasTag(plan: CreatePlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null && plan.table.verbs.includes('read');
}
