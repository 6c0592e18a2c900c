import { proposeIndex } from '@rowhouse/schema-model';
import type { Condition } from '../condition.js';
import type { FilteredPlan } from '../plan.js';
import { narrowingOf } from './may-scan.js';

/**
 * Returns a `CREATE INDEX …` statement that helps to find the records or to read a list in order. Returns
 * null if no index would help, or if there already is one.
 */
export function proposeListIndex(plan: FilteredPlan): string | null {
  const conditions = plan.where.flatMap(flattenAnd);
  const equal = columnsOf(conditions, 'equal');
  const [range] = columnsOf(conditions, 'range');
  // An index provides no order after a range. It also does not help if matching records must be searched for
  // anyway. It has NULLs at a fixed end and contains no counts.
  const mayServeOrder =
    plan.kind === 'list' &&
    plan.ties === null &&
    range === undefined &&
    (equal.length > 0 || plan.where.length === 0) &&
    !plan.sort.some((key) => key.turnsNulls || key.count !== null || key.jsonPath !== undefined);
  const sort = mayServeOrder
    ? plan.sort.filter((key) => key.path.length === 0).map((key) => key.column.name)
    : [];
  const trimmed = sort.at(-1) === plan.table.source.primaryKey?.[0] ? sort.slice(0, -1) : sort;
  return proposeIndex(plan.table.source, range === undefined ? equal : [...equal, range], trimmed);
}

/** Returns the conditions that must all be true. */
function flattenAnd(condition: Condition): readonly Condition[] {
  return condition.kind === 'group' && condition.operator === 'AND'
    ? condition.conditions.flatMap(flattenAnd)
    : [condition];
}

function columnsOf(conditions: readonly Condition[], how: 'equal' | 'range'): string[] {
  return conditions.flatMap((condition) =>
    'column' in condition && narrowingOf(condition) === how ? [condition.column.name] : [],
  );
}
