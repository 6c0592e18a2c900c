import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { QueryParameters } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import type { SortKey } from './plan.js';
import { readColumnNames } from './plan-select.js';
import { isSortable, readOrder, readSortKeys } from './plan-sort.js';

/** `_distinct=a,b`: the columns, and an order over them alone. Null without it. */
export function planDistinct(table: CompiledTable, parameters: QueryParameters, faults: FaultList): { select: readonly CompiledColumn[]; sort: readonly SortKey[] } | null {
  if (parameters.distinct === null) return null;
  const { cursor, embeds, include, omit, select: chosen } = parameters;
  if ([chosen, omit, include, cursor].some((text) => text !== null) || embeds.length > 0) {
    faults.add(['query', '_distinct'], 'Distinct rows hold these columns alone: no _select, _omit, include or _cursor.', 'conflict');
  }
  const select = readColumnNames(table, '_distinct', parameters.distinct, faults);
  const direction = readOrder(parameters.order, faults);
  if (parameters.sort === null) return { select, sort: select.filter(isSortable).slice(0, 8).map((column) => ({ path: [], column, direction, turnsNulls: false, count: null })) };
  const sort = readSortKeys(table, parameters.sort, direction, faults);
  const other = sort.find((key) => key.path.length > 0 || !select.includes(key.column));
  if (other !== undefined) faults.add(['query', 'sort'], `Distinct rows are sorted by their own columns: ${other.column.name} is none.`, 'not_sortable');
  return { select, sort };
}
