import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { QueryParameters } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import type { ListWindow, SortKey } from './plan.js';
import { readColumnNames } from './plan-select.js';
import { isSortable } from './is-sortable.js';
import { readOrder, readSortKeys } from './plan-sort.js';
import { ROWS_MAX } from './plan-window.js';

/** Plans `_distinct=a,b`. Returns the columns and an order over them only, or null without the parameter. */
export function planDistinct(
  table: CompiledTable,
  parameters: QueryParameters,
  window: ListWindow,
  faults: FaultList,
): { select: readonly CompiledColumn[]; sort: readonly SortKey[] } | null {
  if (parameters.distinct === null) return null;
  const { cursor, embeds, include, omit, select: chosen } = parameters;
  if ([chosen, omit, include, cursor].some((text) => text !== null) || embeds.length > 0) {
    faults.add(
      ['query', '_distinct'],
      'Distinct rows hold these columns alone: no _select, _omit, include or _cursor.',
      'conflict',
    );
  }
  const select = readColumnNames(table, '_distinct', parameters.distinct, faults);
  const direction = readOrder(parameters.order, faults);
  checkPaged(select, window, faults);
  const sort = parameters.sort === null ? [] : readSortKeys(table, parameters.sort, direction, faults);
  const other = sort.find(
    (key) => key.jsonPath !== undefined || key.path.length > 0 || !select.includes(key.column),
  );
  if (other !== undefined)
    faults.add(
      ['query', 'sort'],
      `Distinct rows are sorted by their own columns: ${other.column.name} is none.`,
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
        turnsNulls: false,
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
    `Distinct rows with ${shape.name} have no exact order to read pages in: it is ${shape.type}.`,
    'conflict',
    `Read all of them as a stream (Accept: application/x-ndjson), or leave ${shape.name} out.`,
  );
}
