import { readParameterName, writeParameterName } from '../../data/rows/parameter-names.js';

/** One condition of a list as the builder shows it. */
export interface QueryFilter {
  readonly column: string;
  /** `eq` needs no word in the address. */
  readonly operator: string;
  readonly value: string;
}

export interface ListQuery {
  readonly filters: readonly QueryFilter[];
  /** As the data API has it: `-id`. */
  readonly sort: string;
  readonly include: string;
  readonly limit: string;
}

export const OPERATORS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'eq', label: 'is' }, { value: 'ne', label: 'is not' }, { value: 'gt', label: 'greater than' }, { value: 'gte', label: 'at least' }, { value: 'lt', label: 'less than' }, { value: 'lte', label: 'at most' },
  { value: 'icontains', label: 'contains' }, { value: 'istartswith', label: 'begins with' }, { value: 'in', label: 'one of (a,b)' }, { value: 'isnull', label: 'is null (true/false)' }, { value: 'after', label: 'later than' }, { value: 'before', label: 'earlier than' },
];

/** Names that mean something else where no operator stands behind them. */
const NEEDS_OPERATOR = /^(?:page|limit|sort|order|include|created_after|where|_.*|.*__.*)$/s;

/** The query string that the gateway reads, without `?`. Conditions without a value are left out. */
export function writeListQuery(query: ListQuery): string {
  const parts = query.filters.filter(({ column, value }) => column !== '' && value !== '').map(({ column, operator, value }) => {
    const tail = operator === 'eq' && !NEEDS_OPERATOR.test(column) ? '' : `__${operator}`;
    return `${encodeURIComponent(writeParameterName(column))}${tail}=${encodeURIComponent(value)}`;
  });
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
      filters.push({ column: readParameterName(isKnown && at > 0 ? name.slice(0, at) : name), operator: isKnown ? operator : 'eq', value });
    }
  }
  return { filters, sort: rest['sort'] ?? '', include: rest['include'] ?? '', limit: rest['limit'] ?? '' };
}
