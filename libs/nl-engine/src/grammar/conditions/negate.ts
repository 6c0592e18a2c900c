import type { Comparison, Condition } from '../../types.js';

export const FLIPPED: Readonly<Record<Comparison, Comparison>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

export function negate(condition: Condition): Condition | null {
  if (condition.kind === 'compare') return { ...condition, op: FLIPPED[condition.op] };
  if (condition.kind === 'value') return { ...condition, negated: !condition.negated };
  if (condition.kind === 'like') return { ...condition, negated: !condition.negated };
  return null;
}
