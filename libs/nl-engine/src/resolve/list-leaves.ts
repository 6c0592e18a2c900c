import type { Condition } from '../types.js';

/** Returns the conditions inside AND and OR, or the condition itself when it is neither. */
export function listLeaves(condition: Condition): readonly Condition[] {
  return condition.kind === 'any' || condition.kind === 'all'
    ? condition.parts.flatMap(listLeaves)
    : [condition];
}
