import type { Condition } from '../types.js';

/** The conditions that one is put together from by AND and OR; itself where it is not. */
export function listLeaves(condition: Condition): readonly Condition[] {
  return condition.kind === 'any' || condition.kind === 'all' ? condition.parts.flatMap(listLeaves) : [condition];
}
