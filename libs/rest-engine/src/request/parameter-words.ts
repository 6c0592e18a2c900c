import {
  FILTER_OPERATORS,
  QUERY_CONTROLS,
  RESERVED_OPERATORS,
  type FilterOperator,
  type QueryControl,
} from '@rowhouse/schema-model';

export const CONTROLS: ReadonlyMap<string, QueryControl> = new Map(
  QUERY_CONTROLS.map((word) => [word, word]),
);

/** The text after the last `__` of a parameter name, classified as an operator. */
export type OperatorWord =
  | { readonly kind: 'served'; readonly operator: FilterOperator }
  | { readonly kind: 'reserved' };

export const OPERATORS: ReadonlyMap<string, OperatorWord> = new Map<string, OperatorWord>([
  ...FILTER_OPERATORS.map((operator): [string, OperatorWord] => [operator, { kind: 'served', operator }]),
  ...RESERVED_OPERATORS.map((word): [string, OperatorWord] => [word, { kind: 'reserved' }]),
]);

/** Parameter names of other data APIs, each with the name that this API uses. */
export const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['select', '_select'],
  ['fields', '_select'],
  ['columns', '_select'],
  ['omit', '_omit'],
  ['exclude', '_omit'],
  ['offset', '_offset'],
  ['skip', '_offset'],
  ['per_page', 'limit'],
  ['page_size', 'limit'],
  ['pagesize', 'limit'],
  ['size', 'limit'],
  ['top', 'limit'],
  ['first', 'limit'],
  ['order_by', 'sort'],
  ['orderby', 'sort'],
  ['ordering', 'sort'],
  ['sort_by', 'sort'],
  ['direction', 'order'],
  ['expand', 'include'],
  ['embed', 'include'],
  ['with', 'include'],
  ['populate', 'include'],
  ['q', '_q'],
  ['query', '_q'],
  ['search', '_q'],
  ['filter', '_filter'],
  ['or', 'where or _filter'],
  ['and', 'where or _filter'],
  ['count', '_count'],
  ['meta', '_count'],
  ['cursor', '_cursor'],
  ['after', '_cursor'],
  ['on_conflict', '_on_conflict'],
  ['distinct', '_distinct'],
  ['group', '_group'],
  ['group_by', '_group'],
  ['groupby', '_group'],
  ['aggregate', '_aggregate'],
  ['explain', '_explain'],
  ['etag', '_etag in _select'],
  ['having', '_having'],
]);
