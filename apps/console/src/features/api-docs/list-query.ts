/** One condition of a list as the builder shows it. */
export interface QueryFilter {
  readonly column: string;
  /** `eq` needs no word in the address. */
  readonly operator: string;
  readonly value: string;
}

export interface ListQuery {
  readonly filters: readonly QueryFilter[];
  readonly sort: string;
  readonly include: string;
  readonly limit: string;
}

export const OPERATORS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'eq', label: 'is' }, { value: 'ne', label: 'is not' }, { value: 'gt', label: 'greater than' }, { value: 'gte', label: 'at least' }, { value: 'lt', label: 'less than' }, { value: 'lte', label: 'at most' },
  { value: 'icontains', label: 'contains' }, { value: 'istartswith', label: 'begins with' }, { value: 'in', label: 'one of (a,b)' }, { value: 'isnull', label: 'is null (true/false)' }, { value: 'after', label: 'later than' }, { value: 'before', label: 'earlier than' },
];

/** The query string that the gateway reads, without `?`. Conditions without a value are left out. */
export function writeListQuery(query: ListQuery): string {
  const parts = query.filters.filter((filter) => filter.column !== '' && filter.value !== '').map((filter) => `${encodeURIComponent(filter.column)}${filter.operator === 'eq' ? '' : `__${filter.operator}`}=${encodeURIComponent(filter.value)}`);
  for (const name of ['sort', 'include', 'limit'] as const) if (query[name] !== '') parts.push(`${name}=${encodeURIComponent(query[name])}`);
  return parts.join('&');
}

/** Reads back what `writeListQuery` wrote; what the builder has no field for stays out. */
export function readListQuery(text: string): ListQuery {
  const filters: QueryFilter[] = [];
  const rest: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === 'sort' || name === 'include' || name === 'limit') rest[name] = value;
    else {
      const at = name.lastIndexOf('__');
      const operator = at > 0 ? name.slice(at + 2) : 'eq';
      const isKnown = OPERATORS.some((entry) => entry.value === operator);
      filters.push({ column: isKnown && at > 0 ? name.slice(0, at) : name, operator: isKnown ? operator : 'eq', value });
    }
  }
  return { filters, sort: rest['sort'] ?? '', include: rest['include'] ?? '', limit: rest['limit'] ?? '' };
}
