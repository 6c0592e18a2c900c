import { proposeIndex } from '@rowhouse/schema-model';
import type { Condition, FilteredPlan } from '../plan.js';
import { narrowingOf } from './may-scan.js';

/** `CREATE INDEX …` by which the records would be found, or those of a list come in their order; null where none would help, or there is one. */
export function proposeListIndex(plan: FilteredPlan): string | null {
  const conditions = plan.where.flatMap(flattenAnd);
  const equal = columnsOf(conditions, 'equal');
  const [range] = columnsOf(conditions, 'range');
  // Behind a range an index is in no order any more; it does not help to sort what has to be looked for all the same; it has NULLs at one end, and counts nothing.
  const mayServeOrder = plan.kind === 'list' && plan.ties === null && range === undefined && (equal.length > 0 || plan.where.length === 0) && !plan.sort.some((key) => key.turnsNulls || key.count !== null || key.jsonPath !== undefined);
  const sort = mayServeOrder ? plan.sort.filter((key) => key.path.length === 0).map((key) => key.column.name) : [];
  const trimmed = sort.at(-1) === plan.table.source.primaryKey?.[0] ? sort.slice(0, -1) : sort;
  return proposeIndex(plan.table.source, range === undefined ? equal : [...equal, range], trimmed);
}

/** Conditions that all have to hold. */
function flattenAnd(condition: Condition): readonly Condition[] {
  return condition.kind === 'group' && condition.operator === 'AND' ? condition.conditions.flatMap(flattenAnd) : [condition];
}

function columnsOf(conditions: readonly Condition[], how: 'equal' | 'range'): string[] {
  return conditions.flatMap((condition) => ('column' in condition && narrowingOf(condition) === how ? [condition.column.name] : []));
}
