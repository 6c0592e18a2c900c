import { findCreatedColumn, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { FilterParameter, QueryParameters } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import type { ConditionBudget } from './condition-budget.js';
import { isColumnOperator, planColumnComparison } from './plan-column-comparison.js';
import { planCondition } from './plan-condition.js';
import { planFilterTree } from './plan-filter-tree.js';
import { planNamedCondition } from './plan-named-condition.js';
import { planWhere } from './plan-where.js';
import type { Condition, PlannedCondition } from './condition.js';
import { planJsonPath } from './plan-json-path.js';
import { planColumnSearch, planJsonTest, planSearch } from './plan-special.js';
import { coerceDateTime } from '../../values/coerce-temporal.js';

/** The query parameters that select records. */
export type FilterParameters = Pick<QueryParameters, 'filters' | 'createdAfter' | 'filter' | 'where'> & {
  readonly q?: string | null;
};

/**
 * Returns the name of a parameter for use in faults, such as `created_after` or
 * `include[posts][created_after]`.
 */
export type NameParameter = (control: string) => string;

/** Returns the conditions of a list or of an include. All of them must be true. */
export function planFilters(
  table: CompiledTable,
  parameters: FilterParameters,
  faults: FaultList,
  budget: ConditionBudget,
  nameOf: NameParameter = (control) => control,
): readonly Condition[] {
  const conditions: (Condition | null)[] = [];
  for (const filter of parameters.filters) {
    if (faults.isFull() || budget.isSpent()) break;
    conditions.push(planFilter(table, filter, faults, budget));
  }
  if (parameters.createdAfter !== null)
    conditions.push(planCreatedAfter(table, parameters.createdAfter, nameOf('created_after'), faults));
  if (parameters.filter !== null)
    conditions.push(
      planFilterTree(table, parameters.filter, { faults, budget, loc: ['query', nameOf('_filter')] }),
    );
  if (parameters.where !== null)
    conditions.push(planWhere(table, parameters.where, { faults, budget, loc: ['query', nameOf('where')] }));
  const { q } = parameters;
  if (q !== undefined && q !== null)
    conditions.push(planSearch(table, q, { faults, budget, loc: ['query', nameOf('_q')] }));
  return conditions.filter((condition) => condition !== null);
}

function planFilter(
  table: CompiledTable,
  filter: FilterParameter,
  faults: FaultList,
  budget: ConditionBudget,
): Condition | null {
  const isTrue = (): boolean | null =>
    ({ true: true, 1: true, false: false, 0: false })[filter.value] ?? null;
  const make = (column: CompiledColumn, holder: CompiledTable): PlannedCondition => {
    const planned = planTextCondition(holder, column, filter);
    if (planned.kind === 'condition' || planned.hint !== undefined) return planned;
    const hint = hintForeignValue(column, filter);
    return hint === null ? planned : { ...planned, hint };
  };
  return planNamedCondition(table, filter, isTrue, make, { faults, budget, loc: ['query', filter.key] });
}

function planTextCondition(
  table: CompiledTable,
  column: CompiledColumn,
  { jsonPath, operator, value }: FilterParameter,
): PlannedCondition {
  if (operator === 'json_contains' || operator === 'json_has_key')
    return planJsonTest(column, jsonPath, operator, value);
  if (operator === 'search' && jsonPath === null) return planColumnSearch(table, column, value);
  if (isColumnOperator(operator) && jsonPath === null)
    return planColumnComparison(table, column, operator, value);
  return jsonPath === null
    ? planCondition(column, operator, value)
    : planJsonPath(column, jsonPath, operator, value);
}

/** Returns a hint if a value has the notation of PostgREST, as in `age=gte.18`. */
function hintForeignValue(column: CompiledColumn, filter: FilterParameter): string | null {
  const foreign = /^(eq|neq|gt|gte|lt|lte|like|ilike|in|is)\./.exec(filter.value)?.[1];
  if (foreign === undefined || filter.operator !== 'eq') return null;
  const operator = foreign === 'neq' ? 'ne' : foreign === 'is' ? 'isnull' : foreign;
  return `Put the operator into the name: ${column.name}__${operator}=…`;
}

/**
 * Plans `created_after`, which selects the records created after a time. A date without a time means its
 * start in UTC.
 */
function planCreatedAfter(
  table: CompiledTable,
  text: string,
  key: string,
  faults: FaultList,
): Condition | null {
  const column = findCreatedColumn(table);
  if (column === null) {
    faults.add(
      ['query', key],
      `${table.name} has no date column created_at.`,
      'unknown_parameter',
      'Filter by another date column instead, such as updated_at__after.',
    );
    return null;
  }
  const moment = coerceDateTime(text);
  if (moment.kind === 'value') return { kind: 'compare', column, operator: '>', value: moment.value };
  faults.add(
    ['query', key],
    moment.msg,
    moment.type,
    moment.hint ?? 'Use an ISO 8601 date: 2026-01-31 or 2026-01-31T12:00:00Z.',
  );
  return null;
}
