/**
 * The query parameters with a fixed meaning, in the order of the documentation. The list must not change in
 * /v1. Every other parameter is a filter by column. The text after its last `__` is the operator if it is in
 * `FILTER_OPERATORS` or `RESERVED_OPERATORS`, and otherwise a part of the column's name.
 */
export const QUERY_CONTROLS = [
  'page',
  'limit',
  'sort',
  'order',
  'include',
  'created_after',
  'where',
  '_select',
  '_omit',
  '_cursor',
  '_offset',
  '_count',
  '_filter',
  '_q',
  '_distinct',
  '_aggregate',
  '_group',
  '_having',
  '_on_conflict',
  '_explain',
] as const;

/**
 * The query parameter for filters in brackets, as in `filters[total__gte]`. It is not called `filter`,
 * because generated clients use this name for `_filter`.
 */
export const FILTERS_PARAMETER = 'filters';

export type QueryControl = (typeof QUERY_CONTROLS)[number];

/** Operators that compare with one value. */
export const COMPARISON_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

/** Operators that search in the text of a value. */
export const PATTERN_OPERATORS = [
  'like',
  'not_like',
  'ilike',
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  'iexact',
] as const;

/** Operators that compare a date with a time, or with a part such as the year. */
export const TIME_OPERATORS = ['after', 'before', 'on', 'year', 'month', 'day'] as const;

export const FILTER_OPERATORS = [
  ...COMPARISON_OPERATORS,
  'in',
  'not_in',
  'between',
  'not_between',
  'isnull',
  ...PATTERN_OPERATORS,
  ...TIME_OPERATORS,
  'exists',
  'regex',
  'search',
  'within',
  'json_contains',
  'json_has_key',
  'eq_column',
  'ne_column',
  'gt_column',
  'gte_column',
  'lt_column',
  'lte_column',
] as const;

export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/**
 * Operators that are reserved for later versions. They are rejected even if the parameter's name is that of a
 * column.
 */
export const RESERVED_OPERATORS = [
  'iregex',
  'date',
  'hour',
  'weekday',
  'empty',
  'distinct_from',
  'json_overlaps',
  'json_length',
  'bbox',
  'near',
] as const;
