import type { ListRequest, ReadRequest } from '../request/api-request.js';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import { createConditionBudget } from './condition-budget.js';
import { collectTouches } from './collect-touches.js';
import { planCursor } from './plan-cursor.js';
import { planDistinct } from './plan-distinct.js';
import { planFilters } from './plan-filter.js';
import { planInclude } from './plan-include.js';
import { planKey } from './plan-key.js';
import { findDistinctTieBreak, findTieBreak, type TieBreak } from './order/tie-break.js';
import type { ListPlan, PlanOptions, ReadPlan } from './plan.js';
import { readEtag } from './plan-select.js';
import { planSelect } from './read-selection.js';
import { planSort } from './plan-sort.js';
import { checkStream, isWholeWindow, planStreamWindow } from './plan-stream.js';
import { planWindow } from './plan-window.js';

export function planList(request: ListRequest, options: PlanOptions): ListPlan {
  const { table, parameters } = request;
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  const include = planInclude(table, parameters.include, parameters.embeds, faults, budget);
  const window =
    request.format === 'json'
      ? planWindow(parameters, options.requireLimit, faults)
      : planStreamWindow(parameters, faults);
  const isComplete = request.format !== 'json' && isWholeWindow(window);
  const distinct = planDistinct(table, parameters, window, faults);
  const sort = distinct?.sort ?? planSort(table, parameters, include, { faults, budget, isComplete });
  const where = planFilters(table, parameters, faults, budget);
  const select = distinct?.select ?? planSelect(table, parameters, include, faults);
  const plan: ListPlan = {
    kind: 'list',
    format: request.format,
    table,
    touches: collectTouches(table, 'read', include, sort, where),
    address: request.address,
    preferences: request.preferences,
    select,
    hasEtag: parameters.select !== null && readEtag(table, '_select', parameters.select, select, faults),
    isDistinct: distinct !== null,
    where,
    sort,
    ...planTies({ table, sort, where, isComplete, distinct: distinct?.select ?? null }),
    cursor: planCursor(table, parameters, sort, options, faults),
    window,
    count: readCountMode(parameters.count, faults),
    include,
    hasRegex: budget.hasRegex(),
  };
  if (plan.format !== 'json') checkStream(plan, faults);
  faults.throwIfAny();
  return plan;
}

interface Ordered extends Pick<ListPlan, 'table' | 'sort' | 'where'> {
  /** Whether the list is a stream of all records. */
  readonly isComplete: boolean;
  readonly distinct: ListPlan['select'] | null;
}

/**
 * Returns the columns that make the order total. A stream of all records may have any order, and a plain list
 * of a table has the stored order.
 */
function planTies({
  table,
  sort,
  where,
  isComplete,
  distinct,
}: Ordered): Pick<ListPlan, 'ties' | 'isStoredOrder'> {
  const isStoredOrder =
    !isComplete && distinct === null && table.kind === 'table' && sort.length === 0 && where.length === 0;
  if (isComplete || isStoredOrder) return { ties: null, isStoredOrder };
  const ties: TieBreak | null =
    distinct === null ? findTieBreak(table, sort) : findDistinctTieBreak(distinct);
  return { ties, isStoredOrder };
}

export function planRead(request: ReadRequest, options: PlanOptions): ReadPlan {
  const { table, parameters } = request;
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  const include = planInclude(table, parameters.include, parameters.embeds, faults, budget);
  const select = planSelect(table, parameters, include, faults);
  const hasEtag = parameters.select !== null && readEtag(table, '_select', parameters.select, select, faults);
  faults.throwIfAny();
  return {
    kind: 'read',
    table,
    touches: collectTouches(table, 'read', include, []),
    address: request.address,
    preferences: request.preferences,
    select,
    hasEtag,
    key: planKey(table, request.key),
    include,
    hasRegex: budget.hasRegex(),
  };
}

function readCountMode(count: string | null, faults: FaultList): ListPlan['count'] {
  if (count === null) return 'none';
  if (count === 'exact' || count === 'estimated') return count;
  faults.add(['query', '_count'], 'The count is exact or estimated.', 'enum');
  return 'none';
}
