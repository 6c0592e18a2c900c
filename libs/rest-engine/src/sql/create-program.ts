import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreatePlan } from '../plan/plan.js';
import type { Claim } from '../plan/claims.js';
import type { ResultSet } from '../response/result-set.js';
import { claimedColumns, findBroken, refuseBroken } from './check-claims.js';
import { insertPart } from './insert-part.js';
import { isReturnedAsStored } from './insert-statements.js';
import { allowOddDays } from './odd-days.js';
import { selectList, type PlacedColumn, type SelectList } from './select-list.js';
import type { StatementProgram, StatementRound } from './statement.js';
import { placedVersionColumns, versionColumns } from './version-columns.js';

export function createProgram(plan: CreatePlan, hasReturning: boolean): StatementProgram {
  const isRollback = plan.preferences.transaction === 'rollback';
  const list = answerList(plan);
  const part = insertPart({ table: plan.table, rows: plan.rows, list, role: 'records', hasReturning });
  const isOneStatement = part.first.statements.length === 1 && (list === null || (hasReturning && isReturnedAsStored(plan.table)));
  const isBound = !isOneStatement || plan.claims !== undefined;
  const program: StatementProgram = { transaction: isRollback ? 'rollback' : isBound ? 'commit' : 'none', ...part };
  return plan.claims === undefined && plan.hasOddDays !== true ? program : withOdd(plan, program);
}

/** Wraps a create whose body has generated columns or days of zero. */
function withOdd(plan: CreatePlan, program: StatementProgram): StatementProgram {
  const allow = (round: StatementRound): StatementRound => (plan.hasOddDays === true ? allowOddDays(round, plan.table.schema.engine) : round);
  return {
    transaction: program.transaction,
    first: allow(program.first),
    next(results) {
      const round = program.next(results);
      if (round !== null) return allow(round);
      if (plan.claims !== undefined) checkClaims(plan, plan.claims, results);
      return null;
    },
  };
}

/** Compares the body's values of generated columns with the records written. */
function checkClaims(plan: CreatePlan, claims: NonNullable<CreatePlan['claims']>, results: readonly ResultSet[]): void {
  const columns = claimedOf(claims);
  const from = (plan.table.rowKey?.length ?? 0) + (hasTag(plan) ? versionColumns(plan.table).length : 0);
  const records = results.filter((result) => result.statement.role.kind === 'records').slice(-plan.rows.length);
  let place = 0;
  const broken: Claim[] = [];
  for (const result of records) {
    for (let row = 0; row < result.rowCount; row += 1, place += 1) {
      broken.push(...findBroken(claims.get(place) ?? [], (column) => result.keyCell(row, from + columns.indexOf(column))));
    }
  }
  refuseBroken(broken);
}

function claimedOf(claims: NonNullable<CreatePlan['claims']>): readonly CompiledColumn[] {
  return claimedColumns([...claims.values()].flat());
}

/**
 * Returns the select list for each created record: the response's columns, or its key. Returns null for a
 * table without a key.
 */
function answerList(plan: CreatePlan): SelectList | null {
  const key = plan.table.rowKey;
  if (key === null) return null;
  const { plain, tagged } = keptCells(plan.table, key);
  const kept = hasTag(plan) ? tagged : plain;
  if (plan.claims === undefined) return selectList(plan.answer ?? key, '', kept);
  return selectList(plan.answer ?? key, '', [...kept, ...claimedOf(plan.claims).map((column) => ({ alias: '', column }))]);
}

interface KeptCells {
  /** The key, which forms the address of the record. */
  readonly plain: readonly PlacedColumn[];
  /** The key followed by the stored columns. */
  readonly tagged: readonly PlacedColumn[];
}

/** Created once for each table, because select lists are cached by the identity of their retained cells. */
const kept = new WeakMap<CompiledTable, KeptCells>();

function keptCells(table: CompiledTable, key: readonly CompiledColumn[]): KeptCells {
  let cells = kept.get(table);
  if (cells === undefined) {
    const plain = key.map((column) => ({ alias: '', column }));
    kept.set(table, (cells = { plain, tagged: [...plain, ...placedVersionColumns(table)] }));
  }
  return cells;
}

/**
 * Reports whether the response has a tag. A single record has one for keys that may read, because only these
 * can use it in `If-Match`.
 */
export function hasTag(plan: CreatePlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null && plan.table.verbs.includes('read');
}
