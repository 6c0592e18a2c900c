import type { ListRequest, QueryParameters, ReadRequest } from '../../request/api-request.js';
import { createFaultList, type FaultList } from '../../request/fault-list.js';
import { createConditionBudget, type ConditionBudget } from '../filter/condition-budget.js';
import { collectTouches } from '../authorize-plan.js';
import { planCursor } from './plan-cursor.js';
import { planFilters } from '../filter/plan-filter.js';
import { planInclude } from './plan-include.js';
import { planKey } from '../write/record-target.js';
import type { IncludeNode, TieBreak, ListWindow, PlanOptions, SortKey } from '../plan-parts.js';
import { findDistinctTieBreak, findTieBreak, isSortable } from './order/order-key.js';
import type { ListPlan, ReadPlan } from '../plan.js';
import { readColumnNames, readEtag } from './plan-select.js';
import { planSelect } from './read-selection.js';
import { planSort, readOrder, readSortKeys } from './plan-sort.js';
import { checkStream, isWholeWindow, planStreamWindow, planWindow, ROWS_MAX } from './plan-window.js';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';

const NO_INCLUDES: readonly IncludeNode[] = Object.freeze([]);

export function planList(request: ListRequest, options: PlanOptions): ListPlan {
  const { table, parameters } = request;
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  const include = planIncludes(table, parameters, faults, budget);
  const window =
    request.format === 'json'
      ? planWindow(parameters, options.requireLimit, faults)
      : planStreamWindow(parameters, faults);
  const isComplete = request.format !== 'json' && isWholeWindow(window);
  const distinct =
    parameters.distinct === null
      ? null
      : planDistinct(table, parameters.distinct, parameters, window, faults);
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
    cursor: parameters.cursor === null ? null : planCursor(table, parameters, sort, options, faults),
    window,
    count: parameters.count === null ? 'none' : readCountMode(parameters.count, faults),
    include,
    hasRegex: budget.hasRegex(),
  };
  if (plan.format !== 'json') checkStream(plan, faults);
  faults.throwIfAny();
  return plan;
}

interface Ordered extends Pick<ListPlan, 'table' | 'sort' | 'where'> {
  /** Whether the list streams all records, without a page or a limit. */
  readonly isComplete: boolean;
  readonly distinct: ListPlan['select'] | null;
}

/**
 * Returns the columns that break ties in the order. A stream of all records needs no defined order, and an
 * unfiltered list of a table without a sort uses the stored order.
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

function planIncludes(
  table: CompiledTable,
  { include, embeds }: QueryParameters,
  faults: FaultList,
  budget: ConditionBudget,
): readonly IncludeNode[] {
  if (include === null && embeds.length === 0) return NO_INCLUDES;
  return planInclude(table, include, embeds, faults, budget);
}

export function planRead(request: ReadRequest, options: PlanOptions): ReadPlan {
  const { table, parameters } = request;
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  const include = planIncludes(table, parameters, faults, budget);
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

function readCountMode(count: string, faults: FaultList): ListPlan['count'] {
  if (count === 'exact' || count === 'estimated') return count;
  faults.add(['query', '_count'], 'The value must be exact or estimated.', 'enum');
  return 'none';
}

/**
 * Plans `_distinct=a,b`. Returns the distinct columns and an order over these columns only. Returns null if
 * the parameter is absent.
 */
function planDistinct(
  table: CompiledTable,
  text: string,
  parameters: QueryParameters,
  window: ListWindow,
  faults: FaultList,
): { select: readonly CompiledColumn[]; sort: readonly SortKey[] } {
  const { cursor, embeds, include, omit, select: chosen } = parameters;
  if ([chosen, omit, include, cursor].some((text) => text !== null) || embeds.length > 0) {
    faults.add(
      ['query', '_distinct'],
      '_distinct cannot be combined with _select, _omit, include or _cursor.',
      'conflict',
    );
  }
  const select = readColumnNames(table, '_distinct', text, faults);
  const direction = readOrder(parameters.order, faults);
  checkPaged(select, window, faults);
  const sort = parameters.sort === null ? [] : readSortKeys(table, parameters.sort, direction, faults);
  const other = sort.find(
    (key) => key.jsonPath !== undefined || key.path.length > 0 || !select.includes(key.column),
  );
  if (other !== undefined)
    faults.add(
      ['query', 'sort'],
      `Distinct rows can only be sorted by their own columns, not by ${other.column.name}.`,
      'not_sortable',
    );
  const rest = select.filter((column) => isSortable(column) && !sort.some((key) => key.column === column));
  const last = parameters.sort === null ? direction : 'ASC';
  return {
    select,
    sort: [
      ...sort,
      ...rest.map((column): SortKey => ({
        path: [],
        column,
        direction: last,
        reversesNulls: false,
        count: null,
      })),
    ],
  };
}

/**
 * Rejects pages of distinct geometries. The servers do not sort them, so pages would skip some and repeat
 * others.
 */
function checkPaged(
  select: readonly CompiledColumn[],
  { style, offset, limit }: ListWindow,
  faults: FaultList,
): void {
  const shape = select.find((column) => column.valueKind === 'geometry');
  if (shape === undefined || style === 'all' || (style === 'offset' && offset === 0 && limit > ROWS_MAX))
    return;
  faults.add(
    ['query', '_distinct'],
    `Distinct rows with ${shape.name} cannot be read in pages, because ${shape.type} has no exact order.`,
    'conflict',
    `Read them as a stream with Accept: application/x-ndjson, or omit ${shape.name}.`,
  );
}
