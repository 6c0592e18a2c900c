import type { Condition } from './condition.js';

/** Joins conditions into one. Returns null for an empty list. */
export function joinConditions(operator: 'AND' | 'OR', conditions: readonly Condition[]): Condition | null {
  return conditions.length > 1 ? { kind: 'group', operator, conditions } : (conditions[0] ?? null);
}
