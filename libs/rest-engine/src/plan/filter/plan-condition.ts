import type { CompiledColumn, FilterOperator } from '@rowhouse/schema-model';
import type { BoundValue } from '../../values/cell.js';
import type { Condition } from './condition.js';
import { isColumnOperator } from './plan-column-comparison.js';
import { planPattern, planRegex } from './plan-pattern.js';
import { rejected, type PlannedCondition } from './condition.js';
import { planJsonTest, planWithin } from './plan-special.js';
import { splitList } from './split-list.js';
import { coerceText } from '../../values/coerce-text.js';
import { coerceDate, coerceDateTime, isDayKind } from '../../values/coerce-temporal.js';

const PARTS = { year: 'YEAR', month: 'MONTH', day: 'DAY' } as const;

export const LIST_VALUES_MAX = 1000;
const COMPARISONS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
/** The kinds of columns for which `isnull` is the only operator that other columns support too. */
const INCOMPARABLE = new Set(['json', 'vector', 'geometry']);
/** Kinds without a meaningful order. */
const UNORDERED = new Set(['boolean', 'enum', 'set']);

/** Plans one filter on one column. The value must have the exact notation of the column's type. */
export function planCondition(
  column: CompiledColumn,
  operator: FilterOperator,
  text: string,
): PlannedCondition {
  if (operator === 'isnull') return planIsNull(column, text);
  if (operator === 'json_contains' || operator === 'json_has_key')
    return planJsonTest(column, null, operator, text);
  if (operator === 'within') return planWithin(column, text);
  if (isColumnOperator(operator))
    return rejected(`The operator ${operator} cannot be used here.`, 'not_comparable');
  if (INCOMPARABLE.has(column.valueKind))
    return rejected(
      `A ${column.valueKind} column cannot be compared. Use isnull, or an operator for this type.`,
      'not_comparable',
    );
  switch (operator) {
    case 'eq':
    case 'ne':
      return planEquality(column, operator, text);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return planOrder(column, operator, text);
    case 'in':
    case 'not_in':
      return planList(column, operator === 'not_in', text);
    case 'between':
    case 'not_between':
      return planBetween(column, operator === 'not_between', text);
    case 'after':
    case 'before':
    case 'on':
    case 'year':
    case 'month':
    case 'day':
      return planDayCondition(column, operator, text);
    case 'exists':
      return rejected(
        `${column.name} is a column, but exists needs a relationship.`,
        'not_comparable',
        `To find values, use ${column.name}__isnull=false.`,
      );
    case 'search':
      return rejected('The operator search cannot be used here.', 'not_comparable');
    case 'regex':
      return planRegex(column, text);
    default:
      return planPattern(column, operator, text);
  }
}

function planIsNull(column: CompiledColumn, text: string): PlannedCondition {
  if (text !== 'true' && text !== 'false' && text !== '1' && text !== '0')
    return rejected('The value must be true or false.', 'bool_parsing');
  return { kind: 'condition', condition: nullCondition(column, text === 'true' || text === '1') };
}

/**
 * Returns the condition that tests a column for NULL. A JSON column that contains the document `null` counts
 * as NULL, because responses show both as null.
 */
export function nullCondition(column: CompiledColumn, isNull: boolean): Condition {
  return column.valueKind === 'json'
    ? { kind: 'json_null', column, path: null, isNull }
    : { kind: 'null', column, isNull };
}

function planEquality(column: CompiledColumn, operator: 'eq' | 'ne', text: string): PlannedCondition {
  const value = coerceText(column, text, 'filter');
  if (value.kind === 'refused') {
    const hint =
      text.toLowerCase() === 'null'
        ? `To compare with NULL, use ${column.name}__isnull=${operator === 'eq'}.`
        : value.hint;
    return rejected(value.msg, value.type, hint);
  }
  if (column.valueKind === 'boolean') {
    return {
      kind: 'condition',
      condition: { kind: 'truth', column, value: (value.value === 1) === (operator === 'eq') },
    };
  }
  return {
    kind: 'condition',
    condition: { kind: 'compare', column, operator: COMPARISONS[operator], value: value.value },
  };
}

function planOrder(
  column: CompiledColumn,
  operator: 'gt' | 'gte' | 'lt' | 'lte',
  text: string,
): PlannedCondition {
  if (UNORDERED.has(column.valueKind))
    return rejected(`A ${column.valueKind} column has no order.`, 'not_comparable');
  const value = coerceText(column, text, 'filter');
  if (value.kind === 'refused') return value;
  return {
    kind: 'condition',
    condition: { kind: 'compare', column, operator: COMPARISONS[operator], value: value.value },
  };
}

function planList(column: CompiledColumn, isNegated: boolean, text: string): PlannedCondition {
  const values = readValues(column, text);
  if (!Array.isArray(values)) return values;
  if (column.valueKind === 'boolean')
    return { kind: 'condition', condition: truthList(column, isNegated, values) };
  return { kind: 'condition', condition: { kind: 'in', column, isNegated, values } };
}

/** Returns the condition for a list of booleans. Every number except 0 is true. */
function truthList(column: CompiledColumn, isNegated: boolean, values: readonly BoundValue[]): Condition {
  const conditions = [...new Set(values)].map((value): Condition => ({
    kind: 'truth',
    column,
    value: value === 1,
  }));
  const [only] = conditions;
  const found: Condition =
    conditions.length === 1 && only !== undefined ? only : { kind: 'group', operator: 'OR', conditions };
  return isNegated ? { kind: 'not', condition: found } : found;
}

function planBetween(column: CompiledColumn, isNegated: boolean, text: string): PlannedCondition {
  if (UNORDERED.has(column.valueKind))
    return rejected(`A ${column.valueKind} column has no order.`, 'not_comparable');
  const values = readValues(column, text);
  if (!Array.isArray(values)) return values;
  const [low, high] = values;
  if (values.length !== 2 || low === undefined || high === undefined)
    return rejected('Send two values: low and high.', 'list_length');
  return { kind: 'condition', condition: { kind: 'between', column, isNegated, low, high } };
}

function readValues(
  column: CompiledColumn,
  text: string,
): BoundValue[] | (PlannedCondition & { kind: 'refused' }) {
  const items = splitList(text, LIST_VALUES_MAX);
  if (items === null || items.length === 0) {
    return {
      kind: 'refused',
      msg: 'This is not a list. Write a,b with quotes around values that contain commas, or ["a","b"].',
      type: 'list_parsing',
    };
  }
  if (items.length > LIST_VALUES_MAX)
    return { kind: 'refused', msg: `A list can have at most ${LIST_VALUES_MAX} values.`, type: 'too_many' };
  const values: BoundValue[] = [];
  for (const item of items) {
    const value = coerceText(column, item, 'filter');
    if (value.kind === 'refused')
      return { ...value, msg: `${JSON.stringify(item.slice(0, 100))}: ${value.msg}` };
    values.push(value.value);
  }
  return values;
}

/**
 * Plans a condition on a date: it is after or before a time, within a day in UTC, or in a given year, month
 * or day of the month.
 */
function planDayCondition(
  column: CompiledColumn,
  operator: 'after' | 'before' | 'on' | 'year' | 'month' | 'day',
  text: string,
): PlannedCondition {
  if (!isDayKind(column)) return rejected(`${column.name} is not a date column.`, 'not_comparable');
  switch (operator) {
    case 'after':
      return planMoment(column, '>', text);
    case 'before':
      return planMoment(column, '<', text);
    case 'on':
      return planDay(column, text);
    default:
      return planPart(column, operator, text);
  }
}

function planMoment(column: CompiledColumn, operator: '>' | '<', text: string): PlannedCondition {
  const moment = column.valueKind === 'date' ? coerceDate(text) : coerceDateTime(text);
  if (moment.kind === 'refused') return moment;
  return { kind: 'condition', condition: { kind: 'compare', column, operator, value: moment.value } };
}

/** Plans a filter by day as a range of times, so that the server can use an index. */
function planDay(column: CompiledColumn, text: string): PlannedCondition {
  const day = coerceDate(text);
  if (day.kind === 'refused') return day;
  if (column.valueKind === 'date')
    return { kind: 'condition', condition: { kind: 'compare', column, operator: '=', value: day.value } };
  const start = String(day.value);
  return {
    kind: 'condition',
    condition: {
      kind: 'between',
      column,
      isNegated: false,
      low: `${start} 00:00:00`,
      high: `${start} 23:59:59.999999`,
    },
  };
}

function planPart(
  column: CompiledColumn,
  operator: 'year' | 'month' | 'day',
  text: string,
): PlannedCondition {
  if (!/^\d{1,4}$/.test(text)) return rejected('This is not an integer.', 'int_parsing');
  return {
    kind: 'condition',
    condition: { kind: 'part', column, part: PARTS[operator], value: Number(text) },
  };
}
