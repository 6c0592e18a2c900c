import { isDayKind } from '../plan/values/coerce-temporal.js';
import type { ColumnCondition, ComparisonSign, Condition } from '../plan/condition.js';
import type { BoundValue } from './statement.js';

type Compare = ColumnCondition & { readonly kind: 'compare' };

/** No column stores more digits, and the servers would truncate or round them. */
const DIGITS_MAX = 6;

/**
 * Rewrites a condition so that its times have no more fractional digits than a server compares. A time
 * between two microseconds equals no stored value. In an ordering, its neighbor takes its place. Returns null
 * if the condition has no such time.
 */
export function toExactMoments(condition: ColumnCondition): Condition | null {
  const { column } = condition;
  if (column.valueKind !== 'time' && !isDayKind(column)) return null;
  switch (condition.kind) {
    case 'compare':
      return isFinerThanStored(condition.value)
        ? compare(condition, condition.operator, String(condition.value))
        : null;
    case 'between': {
      const { low, high } = condition;
      if (!isFinerThanStored(low) && !isFinerThanStored(high)) return null;
      const range: Condition = {
        kind: 'group',
        operator: 'AND',
        conditions: [one(condition, '>=', low), one(condition, '<=', high)],
      };
      return condition.isNegated ? { kind: 'not', condition: range } : range;
    }
    case 'in': {
      const values = condition.values.filter((value) => !isFinerThanStored(value));
      if (values.length === condition.values.length) return null;
      if (values.length > 0) return { ...condition, values };
      return one(condition, condition.isNegated ? '<>' : '=', condition.values[0] ?? null);
    }
    default:
      return null;
  }
}

function one({ column }: ColumnCondition, operator: ComparisonSign, value: BoundValue): Condition {
  const compared: Compare = { kind: 'compare', column, operator, value };
  return isFinerThanStored(value) ? compare(compared, operator, String(value)) : compared;
}

/** Reports whether the time is between two values that a column can store. */
export function isFinerThanStored(value: BoundValue): boolean {
  if (typeof value !== 'string') return false;
  const point = value.lastIndexOf('.');
  return point >= 0 && value.length - point - 1 > DIGITS_MAX;
}

/** Truncating increases a negative time and decreases any other time. */
function compare({ column }: Compare, operator: ComparisonSign, value: string): Condition {
  const cut = value.slice(0, value.lastIndexOf('.') + 1 + DIGITS_MAX).replace(/\.?0+$/, '');
  const grows = value.startsWith('-');
  const toCut = (sign: ComparisonSign): Condition => ({
    kind: 'compare',
    column,
    operator: sign,
    value: cut,
  });
  switch (operator) {
    // NULL for a NULL value, and false otherwise.
    case '=':
      return { kind: 'group', operator: 'AND', conditions: [toCut('<'), toCut('>')] };
    case '<>':
      return { kind: 'group', operator: 'OR', conditions: [toCut('<='), toCut('>')] };
    case '>':
    case '>=':
      return toCut(grows ? '>=' : '>');
    case '<':
    case '<=':
      return toCut(grows ? '<' : '<=');
  }
}
