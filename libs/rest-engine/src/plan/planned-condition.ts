import type { Condition } from './condition.js';

/** The result of planning one filter. */
export type PlannedCondition =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint?: string };

export function rejected(msg: string, type: string, hint?: string): PlannedCondition {
  return hint === undefined ? { kind: 'refused', msg, type } : { kind: 'refused', msg, type, hint };
}
