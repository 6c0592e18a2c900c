import type { Condition } from './plan.js';

/** One condition of several; null of none. */
export function joinConditions(operator: 'AND' | 'OR', conditions: readonly Condition[]): Condition | null {
  return conditions.length > 1 ? { kind: 'group', operator, conditions } : (conditions[0] ?? null);
}
