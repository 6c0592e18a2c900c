import type { ColumnView } from '../schema/read-tables.js';

/** The kind of a column. It decides how values are shown, edited and compared. */
export type ColumnKind =
  | 'text'
  | 'long'
  | 'number'
  | 'bool'
  | 'enum'
  | 'set'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json'
  | 'binary'
  | 'other';

const KINDS: Readonly<Record<string, ColumnKind>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  double: 'number',
  bit: 'number',
  year: 'number',
  boolean: 'bool',
  enum: 'enum',
  set: 'set',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'datetime',
  time: 'time',
  json: 'json',
  binary: 'binary',
  geometry: 'json',
  vector: 'json',
  uuid: 'text',
  inet: 'text',
};

/** A text column with at least this maximum length may contain long texts. */
const LONG_CHARACTERS = 1_000;

export function kindOf(column: ColumnView): ColumnKind {
  if (column.valueKind === 'string' || column.valueKind === '') return isLongText(column) ? 'long' : 'text';
  return KINDS[column.valueKind] ?? 'other';
}

function isLongText({ type, maxLength }: ColumnView): boolean {
  return /^(medium|long)?text/i.test(type) || (maxLength !== null && maxLength > LONG_CHARACTERS);
}

/**
 * Returns whether values of the column may be too large to load all of them. The grid then loads only the
 * beginning of each value.
 */
export function isCutShort(column: ColumnView): boolean {
  const kind = kindOf(column);
  if (kind === 'binary') return /blob/i.test(column.type) || (column.maxLength ?? 0) > LONG_CHARACTERS;
  return kind === 'long' || (kind === 'json' && column.valueKind !== 'geometry');
}

export interface OperatorChoice {
  readonly value: string;
  readonly label: string;
  /**
   * The kind of value that the operator takes: `one` value, a `list` of values separated by commas, or a
   * `flag`, which is yes or no.
   */
  readonly takes: 'one' | 'list' | 'flag';
}

const EQUAL: readonly OperatorChoice[] = [
  { value: 'eq', label: 'is', takes: 'one' },
  { value: 'ne', label: 'is not', takes: 'one' },
];
const IN: OperatorChoice = { value: 'in', label: 'is one of', takes: 'list' };
const NULLS: OperatorChoice = { value: 'isnull', label: 'is NULL', takes: 'flag' };
const ORDER: readonly OperatorChoice[] = [
  { value: 'gt', label: 'is greater than', takes: 'one' },
  { value: 'gte', label: 'is at least', takes: 'one' },
  { value: 'lt', label: 'is less than', takes: 'one' },
  { value: 'lte', label: 'is at most', takes: 'one' },
];
const TIMES: readonly OperatorChoice[] = [
  { value: 'after', label: 'is after', takes: 'one' },
  { value: 'before', label: 'is before', takes: 'one' },
  { value: 'on', label: 'is on', takes: 'one' },
];
const TEXTS: readonly OperatorChoice[] = [
  { value: 'icontains', label: 'contains', takes: 'one' },
  { value: 'istartswith', label: 'starts with', takes: 'one' },
  { value: 'iendswith', label: 'ends with', takes: 'one' },
  { value: 'like', label: 'matches (% and _)', takes: 'one' },
];

const OPERATORS: Readonly<Record<ColumnKind, readonly OperatorChoice[]>> = {
  text: [...EQUAL, ...TEXTS, IN, NULLS],
  long: [...TEXTS, ...EQUAL, NULLS],
  number: [...EQUAL, ...ORDER, IN, NULLS],
  bool: [EQUAL[0] as OperatorChoice, NULLS],
  enum: [...EQUAL, IN, NULLS],
  set: [...EQUAL, NULLS],
  date: [...EQUAL, ...TIMES, NULLS],
  datetime: [...TIMES, ...EQUAL, NULLS],
  time: [...EQUAL, ...ORDER, NULLS],
  json: [{ value: 'json_contains', label: 'contains JSON', takes: 'one' }, NULLS],
  binary: [NULLS, ...EQUAL],
  other: [...EQUAL, NULLS],
};

/** Returns the operators for filters on this column, the most likely first. */
export function operatorsOf(column: ColumnView): readonly OperatorChoice[] {
  const choices = OPERATORS[kindOf(column)];
  return column.valueKind === 'geometry' || column.valueKind === 'vector' ? [NULLS] : choices;
}

const ALL = new Map(
  Object.values(OPERATORS)
    .flat()
    .map((choice) => [choice.value, choice]),
);

/** Returns the display name of an operator. An unknown operator is returned unchanged. */
export function describeOperator(value: string): string {
  return ALL.get(value)?.label ?? value;
}

/**
 * Returns whether a list that is sorted by this column can be paged by its last value. Lists that are sorted
 * by other columns are paged by offset.
 */
export function canPageAlong(column: ColumnView): boolean {
  return (
    !['float', 'json', 'geometry', 'vector'].includes(column.valueKind) &&
    !(column.valueKind === 'binary' && /blob/i.test(column.type))
  );
}

const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 180,
  long: 260,
  number: 110,
  bool: 90,
  enum: 120,
  set: 150,
  date: 120,
  datetime: 190,
  time: 110,
  json: 240,
  binary: 150,
  other: 150,
};

/**
 * Returns the initial width of a column in pixels. It depends on the type, and is at least the width of the
 * header.
 */
export function widthOf(column: ColumnView): number {
  return Math.min(
    320,
    Math.max(
      WIDTHS[kindOf(column)],
      column.name.length * 8 + 64,
      Math.ceil(describeType(column).length * 6.7) + 22,
    ),
  );
}

/** Returns the text about the type that is shown below a column's name. */
export function describeType(column: ColumnView): string {
  return `${shortType(column)}${column.isRequired ? ' · required' : ''}`;
}

/** Returns the type without its display width and without ENUM labels. */
export function shortType(column: ColumnView): string {
  const base = column.type
    .replace(/^(tinyint|smallint|mediumint|int|bigint)\(\d+\)/i, '$1')
    .replace(/^(enum|set)\(.*\)/i, '$1');
  return column.valueKind === 'json' ? 'json' : column.valueKind === 'boolean' ? 'bool' : base;
}
