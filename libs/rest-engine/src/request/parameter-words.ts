import type { FilterOperator } from './api-request.js';

/** Query keys that are not columns. Frozen for /v1: a word that is not here is a column, whatever the schema holds. */
export type Control =
  | 'page' | 'limit' | 'sort' | 'order' | 'include' | 'created_after' | 'where'
  | '_select' | '_omit' | '_cursor' | '_offset' | '_count' | '_filter' | '_q' | '_distinct'
  | '_aggregate' | '_group' | '_having' | '_on_conflict' | '_explain';

const CONTROL_WORDS: readonly Control[] = [
  'page', 'limit', 'sort', 'order', 'include', 'created_after', 'where',
  '_select', '_omit', '_cursor', '_offset', '_count', '_filter', '_q', '_distinct',
  '_aggregate', '_group', '_having', '_on_conflict', '_explain',
];

export const CONTROLS: ReadonlyMap<string, Control> = new Map(CONTROL_WORDS.map((word) => [word, word]));

/** What documents have to tell of. */
export const SERVED_CONTROLS: readonly string[] = CONTROL_WORDS;

/** What may stand behind the last `__` of a key. `reserved` words are refused, whatever columns there are. */
export type OperatorWord = { readonly kind: 'served'; readonly operator: FilterOperator } | { readonly kind: 'reserved' };

const SERVED: readonly FilterOperator[] = [
  'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'between', 'not_between', 'isnull', 'like', 'not_like', 'ilike',
  'contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith', 'iexact', 'after', 'before', 'on', 'year', 'month', 'day', 'exists',
  'regex', 'search', 'within', 'json_contains', 'json_has_key',
];
const RESERVED = [
  'iregex', 'date', 'hour', 'weekday', 'empty', 'distinct_from', 'json_overlaps', 'json_length', 'bbox', 'near',
];

export const OPERATORS: ReadonlyMap<string, OperatorWord> = new Map<string, OperatorWord>([
  ...SERVED.map((operator): [string, OperatorWord] => [operator, { kind: 'served', operator }]),
  ...RESERVED.map((word): [string, OperatorWord] => [word, { kind: 'reserved' }]),
]);

export const SERVED_OPERATORS: readonly string[] = SERVED;

/** What users of other data APIs type, and what it is called here. */
export const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['select', '_select'], ['fields', '_select'], ['columns', '_select'], ['omit', '_omit'], ['exclude', '_omit'],
  ['offset', '_offset'], ['skip', '_offset'], ['per_page', 'limit'], ['page_size', 'limit'], ['pagesize', 'limit'], ['size', 'limit'],
  ['top', 'limit'], ['first', 'limit'], ['order_by', 'sort'], ['orderby', 'sort'], ['ordering', 'sort'], ['sort_by', 'sort'],
  ['direction', 'order'], ['expand', 'include'], ['embed', 'include'], ['with', 'include'], ['populate', 'include'],
  ['q', '_q'], ['query', '_q'], ['search', '_q'], ['filter', '_filter'], ['or', 'where or _filter'], ['and', 'where or _filter'], ['count', '_count'], ['meta', '_count'], ['cursor', '_cursor'], ['after', '_cursor'],
  ['on_conflict', '_on_conflict'], ['distinct', '_distinct'], ['group', '_group'], ['group_by', '_group'], ['groupby', '_group'], ['aggregate', '_aggregate'], ['explain', '_explain'], ['etag', '_etag in _select'], ['having', '_having'],
]);
