/**
 * The reserved words of query keys, in the order of the documentation. They are frozen for /v1. A key that is
 * not a control is a column. The text after the last `__` of a key belongs to the name unless it is an
 * operator, whatever the schema contains.
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
 * The parameter whose members are comparisons: `filters[total__gte]`. The name `filter` would equal
 * `_filter` in generated code.
 */
export const FILTERS_PARAMETER = 'filters';

export type QueryControl = (typeof QUERY_CONTROLS)[number];

/** Compare with one value. */
export const COMPARISON_OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

/** Search in the text of a value. */
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

/** Compare with a time or a part of one. */
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

/** Operators reserved for later versions. They are rejected whatever columns exist. */
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
