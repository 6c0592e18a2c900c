import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { ListRequest, QueryParameters } from '../../request/api-request.js';
import { createFaultList, type FaultList } from '../../request/fault-list.js';
import { collectTouches } from '../authorize-plan.js';
import { createConditionBudget } from '../filter/condition-budget.js';
import { planFilterTree } from '../filter/plan-filter-tree.js';
import { planFilters } from '../filter/plan-filter.js';
import { isSortedExactly } from '../list/order/order-key.js';
import { readOrder, readSortKeys } from '../list/plan-sort.js';
import { planStreamWindow, planWindow } from '../list/plan-window.js';
import type { PlanOptions, SortKey } from '../plan-parts.js';
import type { AggregatePlan, Output, OutputSort, OutputSource } from './aggregate-plan.js';
import { planAggregates, planGroups } from './plan-outputs.js';

/** Reports whether the request asks for groups instead of records. */

/** Plans a list with `_aggregate`. Its rows are groups of the matching records. */
export function planAggregate(request: ListRequest, options: PlanOptions): AggregatePlan {
  const { table, parameters, address, preferences } = request;
  const faults = createFaultList('params.invalid');
  const budget = createConditionBudget(faults, options);
  checkGroupParameters(parameters, faults);
  const groups = parameters.group === null ? [] : planGroups(table, parameters.group, faults);
  const outputs = [
    ...groups,
    ...(parameters.aggregate === null ? [] : planAggregates(table, parameters.aggregate, faults)),
  ];
  checkNames(outputs, faults);
  const rows = toTable(table, outputs);
  const having =
    parameters.having === null
      ? null
      : planFilterTree(rows, parameters.having, { faults, budget, loc: ['query', '_having'] });
  const sort = planSort(rows, outputs, groups, parameters, faults);
  const where = planFilters(table, parameters, faults, budget);
  const window =
    request.format === 'json'
      ? planWindow(parameters, options.requireLimit && groups.length > 0, faults)
      : planStreamWindow(parameters, faults);
  checkCount(parameters.count, faults);
  faults.throwIfAny();
  const sources = outputs.flatMap(({ term }) => (term.kind === 'count_records' ? [] : [term.source]));
  const touches = collectTouches(table, 'read', [], sources.map(toSortKey), where);
  const ties = groups.filter(
    ({ column, term }) => term.kind === 'group' && term.part === null && !isSortedExactly(column),
  );
  return {
    kind: 'aggregate',
    ties,
    format: request.format,
    table,
    touches,
    address,
    preferences,
    outputs,
    where,
    having,
    sort,
    window,
    isCounted: parameters.count !== null,
    hasRegex: budget.hasRegex(),
  };
}

/** Adds faults for parameters that apply only to lists of records. */
function checkGroupParameters(parameters: QueryParameters, faults: FaultList): void {
  const { cursor, distinct, embeds, include, omit, select } = parameters;
  const strangers = { _select: select, _omit: omit, include, _cursor: cursor, _distinct: distinct };
  for (const [name, value] of Object.entries(strangers)) {
    if (value !== null)
      faults.add(['query', name], `${name} cannot be used with _group and _aggregate.`, 'conflict');
  }
  if (embeds.length > 0)
    faults.add(['query', embeds[0]?.key ?? 'include'], 'Groups cannot include related records.', 'conflict');
  if (parameters.aggregate !== null) return;
  const hint =
    parameters.group === null
      ? 'Add _aggregate, for example _aggregate=count.'
      : 'Add _aggregate=count, or list the distinct values with _distinct={column}.';
  faults.add(['query', '_aggregate'], '_aggregate is missing.', 'missing', hint);
}

function checkNames(outputs: readonly Output[], faults: FaultList): void {
  const known = new Set<string>();
  for (const { name, term } of outputs) {
    const control = term.kind === 'group' ? '_group' : '_aggregate';
    if (known.has(name))
      faults.add(
        ['query', control],
        `Two members would have the name ${JSON.stringify(name)}.`,
        'repeated',
        'Give one of them another name, for example total:sum:amount.',
      );
    known.add(name);
  }
}

/**
 * Returns a table whose columns are the outputs of the groups, so that sort keys and conditions can refer to
 * outputs.
 */
function toTable(table: CompiledTable, outputs: readonly Output[]): CompiledTable {
  const columns: readonly CompiledColumn[] = outputs.map((output) => output.column);
  const find = (name: string): CompiledColumn | null =>
    columns.find((column) => column.name === name) ?? null;
  return {
    ...table,
    name: `Each group of ${table.name}`,
    kind: 'view',
    columns,
    shown: columns,
    rowKey: null,
    uuidKey: null,
    indexes: [],
    foreignKeys: [],
    relationships: [],
    findColumn: find,
    findWritable: find,
    findRelationship: () => null,
  };
}

/**
 * Returns the requested sort keys, followed by all groups that are not among them. This order is complete, so
 * that pages do not overlap.
 */
function planSort(
  rows: CompiledTable,
  outputs: readonly Output[],
  groups: readonly Output[],
  parameters: QueryParameters,
  faults: FaultList,
): readonly OutputSort[] {
  const order = readOrder(parameters.order, faults);
  const keys =
    parameters.sort === null ? [] : readSortKeys(rows, parameters.sort, order, faults, { isOfGroups: true });
  const requests = keys.flatMap(({ column, direction, reversesNulls }) =>
    outputs
      .filter((output) => output.column === column)
      .map((output) => ({ output, direction, reversesNulls })),
  );
  const direction = parameters.sort === null ? order : 'ASC';
  const rest = groups.filter((output) => !requests.some((key) => key.output === output));
  return [...requests, ...rest.map((output): OutputSort => ({ output, direction, reversesNulls: false }))];
}

/** Adds a fault for an invalid `count`. For groups, `estimated` returns the exact count. */
function checkCount(count: string | null, faults: FaultList): void {
  if (count !== null && count !== 'exact' && count !== 'estimated')
    faults.add(['query', '_count'], 'The value must be exact or estimated.', 'enum');
}

function toSortKey({ path, column }: OutputSource): SortKey {
  return { path, column, direction: 'ASC', reversesNulls: false, count: null };
}
