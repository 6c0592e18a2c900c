import type { CompiledColumn } from '@rowhouse/schema-model';
import { rejected, type PlannedCondition } from './planned-condition.js';
import { coerceDate, coerceDateTime, isDayKind } from './values/coerce-temporal.js';

const PARTS = { year: 'YEAR', month: 'MONTH', day: 'DAY' } as const;

/**
 * Plans a condition on a date: after or before a time, within a day (UTC), or in a year, a month or a day of
 * the month.
 */
export function planDayCondition(
  column: CompiledColumn,
  operator: 'after' | 'before' | 'on' | 'year' | 'month' | 'day',
  text: string,
): PlannedCondition {
  if (!isDayKind(column)) return rejected(`${column.name} is no date column.`, 'not_comparable');
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

/** Plans a day as a range, so that an index can be used. */
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
