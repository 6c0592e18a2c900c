import type { Condition } from '../types.js';

/** Does a condition say which value a column has, and no more? */
export function pinsValue(condition: Condition): boolean {
  return (condition.kind === 'value' && !condition.negated) || (condition.kind === 'compare' && condition.op === '=' && condition.value.kind !== 'period');
}
