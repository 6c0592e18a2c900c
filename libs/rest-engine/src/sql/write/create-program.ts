import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreatePlan } from '../../plan/plan.js';
import type { Claim } from '../../plan/write/claims.js';
import { claimedColumns, findBroken, rejectBroken } from './guarded-program.js';
import { insertPart } from './insert-part.js';
import { isReturnedAsStored } from './insert-statements.js';
import { allowZeroDates } from '../program-parts.js';
import { selectList, type AliasedColumn, type SelectList } from '../read/select-list.js';
import type { StatementProgram, StatementRound, ResultSet } from '../statement.js';
import { placedVersionColumns } from '../version-columns.js';
import { versionColumns } from '../../plan/version-columns.js';

export function createProgram(plan: CreatePlan, hasReturning: boolean): StatementProgram {
  const isRollback = plan.preferences.transaction === 'rollback';
  const list = respondList(plan);
  const part = insertPart({ table: plan.table, rows: plan.rows, list, role: 'records', hasReturning });
  const isOneStatement =
    part.first.statements.length === 1 && (list === null || (hasReturning && isReturnedAsStored(plan.table)));
  const isBound = !isOneStatement || plan.claims !== undefined;
  const program: StatementProgram = {
    transaction: isRollback ? 'rollback' : isBound ? 'commit' : 'none',
    ...part,
  };
  return plan.claims === undefined && plan.hasZeroDate !== true ? program : withZeroDates(plan, program);
}

/** Adapts a create whose body has values for generated columns or dates with a month or day of zero. */
function withZeroDates(plan: CreatePlan, program: StatementProgram): StatementProgram {
  const allow = (round: StatementRound): StatementRound =>
    plan.hasZeroDate === true ? allowZeroDates(round, plan.table.schema.engine) : round;
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

/** Compares the values that the body has for generated columns with the written records. */
function checkClaims(
  plan: CreatePlan,
  claims: NonNullable<CreatePlan['claims']>,
  results: readonly ResultSet[],
): void {
  const columns = claimedOf(claims);
  const from = (plan.table.rowKey?.length ?? 0) + (hasTag(plan) ? versionColumns(plan.table).length : 0);
  const records = results
    .filter((result) => result.statement.role.kind === 'records')
    .slice(-plan.rows.length);
  let position = 0;
  const broken: Claim[] = [];
  for (const result of records) {
    for (let row = 0; row < result.rowCount; row += 1, position += 1) {
      broken.push(
        ...findBroken(claims.get(position) ?? [], (column) =>
          result.keyCell(row, from + columns.indexOf(column)),
        ),
      );
    }
  }
  rejectBroken(broken);
}

function claimedOf(claims: NonNullable<CreatePlan['claims']>): readonly CompiledColumn[] {
  return claimedColumns([...claims.values()].flat());
}

/**
 * Returns the select list for each created record: the columns of the response, or the key. Returns null for
 * a table without a key.
 */
function respondList(plan: CreatePlan): SelectList | null {
  const key = plan.table.rowKey;
  if (key === null) return null;
  const { plain, tagged } = readBackCells(plan.table, key);
  const readBackColumns = hasTag(plan) ? tagged : plain;
  if (plan.claims === undefined) return selectList(plan.returned ?? key, '', readBackColumns);
  return selectList(plan.returned ?? key, '', [
    ...readBackColumns,
    ...claimedOf(plan.claims).map((column) => ({ alias: '', column })),
  ]);
}

interface ReadBackCells {
  /** The columns of the key, which the record's URL contains. */
  readonly plain: readonly AliasedColumn[];
  /** The columns of the key, followed by the columns of the version. */
  readonly tagged: readonly AliasedColumn[];
}

/**
 * Cached for each table, because select lists are cached by the identity of their lists of retained cells.
 */
const cache = new WeakMap<CompiledTable, ReadBackCells>();

function readBackCells(table: CompiledTable, key: readonly CompiledColumn[]): ReadBackCells {
  let cells = cache.get(table);
  if (cells === undefined) {
    const plain = key.map((column) => ({ alias: '', column }));
    cache.set(table, (cells = { plain, tagged: [...plain, ...placedVersionColumns(table)] }));
  }
  return cells;
}

/**
 * Reports whether the response has an ETag. Only a single record has one, and only if the API key has the
 * right to read, which it needs to use the version in `If-Match`.
 */
export function hasTag(plan: CreatePlan): boolean {
  return !plan.isBulk && plan.table.rowKey !== null && plan.table.verbs.includes('read');
}
