import { readParameterName, writeParameterName } from '../../data/rows/parameter-names.js';

/** One condition of a list in the query builder. */
export interface QueryFilter {
  readonly column: string;
  /** The operator. The URL omits the operator `eq`. */
  readonly operator: string;
  readonly value: string;
}

export interface ListQuery {
  readonly filters: readonly QueryFilter[];
  /** The sort order in the format of the data API, such as `-id`. */
  readonly sort: string;
  readonly include: string;
  readonly limit: string;
}

export const OPERATORS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'gt', label: 'greater than' },
  { value: 'gte', label: 'at least' },
  { value: 'lt', label: 'less than' },
  { value: 'lte', label: 'at most' },
  { value: 'icontains', label: 'contains' },
  { value: 'istartswith', label: 'begins with' },
  { value: 'in', label: 'one of (a,b)' },
  { value: 'isnull', label: 'is null (true/false)' },
  { value: 'after', label: 'later than' },
  { value: 'before', label: 'earlier than' },
];

/**
 * Matches column names that the data API would interpret as a parameter of its own. A filter on such a column
 * must contain its operator.
 */
const NEEDS_OPERATOR = /^(?:page|limit|sort|order|include|created_after|where|_.*|.*__.*)$/s;

/** Returns the query string of a list request, without `?`. Conditions without a value are left out. */
export function writeListQuery(query: ListQuery): string {
  const parts = query.filters
    .filter(({ column, value }) => column !== '' && value !== '')
    .map(({ column, operator, value }) => {
      const tail = operator === 'eq' && !NEEDS_OPERATOR.test(column) ? '' : `__${operator}`;
      return `${encodeURIComponent(writeParameterName(column))}${tail}=${encodeURIComponent(value)}`;
    });
  for (const name of ['sort', 'include', 'limit'] as const)
    if (query[name] !== '') parts.push(`${name}=${encodeURIComponent(query[name])}`);
  return parts.join('&');
}

/**
 * Parses a query string that `writeListQuery` has written. Parts that the query builder has no field for are
 * ignored.
 */
export function readListQuery(text: string): ListQuery {
  const filters: QueryFilter[] = [];
  const rest: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === 'sort' || name === 'include' || name === 'limit') rest[name] = value;
    else {
      const index = name.lastIndexOf('__');
      const operator = index > 0 ? name.slice(index + 2) : 'eq';
      const isKnown = OPERATORS.some((entry) => entry.value === operator);
      filters.push({
        column: readParameterName(isKnown && index > 0 ? name.slice(0, index) : name),
        operator: isKnown ? operator : 'eq',
        value,
      });
    }
  }
  return { filters, sort: rest['sort'] ?? '', include: rest['include'] ?? '', limit: rest['limit'] ?? '' };
}
