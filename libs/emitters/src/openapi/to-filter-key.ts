import { quoteName, type CompiledColumn } from '@rowhouse/schema-model';

const CONTROLS: ReadonlySet<string> = new Set(['page', 'limit', 'sort', 'order', 'include', 'created_after', 'where']);
const PLAIN_NAME = /^(?:[A-Za-z0-9_$\u0080-\uffff]|-(?!>))+$/;

/** What may stand behind the last `__` of a query key, in the order of the documentation. */
export const FILTER_OPERATORS = [
  'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'between', 'not_between', 'isnull', 'like', 'not_like', 'ilike',
  'contains', 'icontains', 'startswith', 'istartswith', 'endswith', 'iendswith', 'iexact', 'after', 'before', 'on', 'year',
  'month', 'day', 'search', 'within', 'json_contains', 'json_has_key',
] as const;

export type DocumentedOperator = (typeof FILTER_OPERATORS)[number];

/** Words behind `__` that the grammar keeps, served or not: a column name that ends in one needs an operator of its own. */
const TAILS: ReadonlySet<string> = new Set([
  ...FILTER_OPERATORS,
  'regex', 'exists', 'iregex', 'date', 'hour', 'weekday',
  'empty', 'distinct_from', 'json_overlaps', 'json_length', 'bbox', 'near',
]);

/** The query key that filters by a column: `status`, `limit__eq`, `` `odd name` ``, `title__like`. */
export function toFilterKey(column: CompiledColumn, operator: DocumentedOperator = 'eq'): string {
  const { name } = column;
  if (!PLAIN_NAME.test(name)) {
    const quoted = quoteName(name);
    return operator === 'eq' ? quoted : `${quoted}__${operator}`;
  }
  return operator === 'eq' && !needsOperator(name) ? name : `${name}__${operator}`;
}

function needsOperator(name: string): boolean {
  const cut = name.lastIndexOf('__');
  return CONTROLS.has(name) || name.startsWith('_') || (cut > 0 && TAILS.has(name.slice(cut + 2)));
}
