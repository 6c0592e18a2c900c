import type { CompiledColumn } from '@rowhouse/schema-model';
import type { ComparisonSign, Condition } from '../condition.js';
import { rejected, type PlannedCondition } from '../condition.js';
import { isDayKind } from '../../../values/coerce-temporal.js';
import { evaluateMoment, toLocalText, toUtcText, type MomentExpression } from './moment-expression.js';

/**
 * Compares a column with a relative date. `NOW()` alone uses the clock of the database, so that rows it has
 * just stored are found. Other expressions are computed from `now` and bound as values. A column with a time
 * of day is compared as an instant. A DATE column is compared with the date in the expression's time zone.
 */
export function compareMoment(
  column: CompiledColumn,
  operator: ComparisonSign,
  expression: MomentExpression,
  now: () => number,
): PlannedCondition {
  if (!isDayKind(column)) return rejected(`${column.name} is not a date column.`, 'not_comparable');
  if (expression.kind === 'now') return { kind: 'condition', condition: { kind: 'now', column, operator } };
  const moment = evaluateMoment(expression, now());
  if (moment === null)
    return rejected('The relative date is outside the range that columns can store.', 'out_of_range');
  if (column.valueKind !== 'date')
    return { kind: 'condition', condition: { kind: 'compare', column, operator, value: toUtcText(moment) } };
  const [day = '', time = '00:00:00'] = toLocalText(moment).split(' ');
  return {
    kind: 'condition',
    condition:
      time === '00:00:00'
        ? { kind: 'compare', column, operator, value: day }
        : compareWithin(column, operator, day),
  };
}

/** Combines two bounds into a range that includes both bounds. */
export function compareBetween(
  isNegated: boolean,
  bounds: readonly [PlannedCondition, PlannedCondition],
): PlannedCondition {
  const [low, high] = bounds;
  if (low.kind === 'refused') return low;
  if (high.kind === 'refused') return high;
  const range: Condition = { kind: 'group', operator: 'AND', conditions: [low.condition, high.condition] };
  return { kind: 'condition', condition: isNegated ? { kind: 'not', condition: range } : range };
}

/**
 * Compares a DATE column with a time that is not midnight. No date equals such a time. The dates up to and
 * including its day are before it.
 */
function compareWithin(column: CompiledColumn, operator: ComparisonSign, day: string): Condition {
  const compared = (sign: ComparisonSign): Condition => ({
    kind: 'compare',
    column,
    operator: sign,
    value: day,
  });
  switch (operator) {
    // No date is equal. This condition is NULL for a NULL value, and false for all other values.
    case '=':
      return { kind: 'group', operator: 'AND', conditions: [compared('<'), compared('>')] };
    case '<>':
      return { kind: 'group', operator: 'OR', conditions: [compared('<='), compared('>')] };
    case '>':
    case '>=':
      return compared('>');
    case '<':
    case '<=':
      return compared('<=');
  }
}
