import type { Condition } from '../types.js';

/** Returns whether the condition compares a column with a single value. */
export function pinsValue(condition: Condition): boolean {
  return (
    (condition.kind === 'value' && !condition.negated) ||
    (condition.kind === 'compare' && condition.op === '=' && condition.value.kind !== 'period')
  );
}
