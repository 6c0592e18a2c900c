import { paddedLength } from '../sql/placeholder.js';
import type { Condition } from './plan.js';

/** How many values the condition binds; those of sub-conditions that are counted on their own are left out. */
export function countValues(condition: Condition): number {
  let values = 0;
  const left = [condition];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'group') left.push(...one.conditions);
    else if (one.kind === 'not') left.push(one.condition);
    else values += one.kind === 'in' ? paddedLength(one.values.length) : one.kind === 'json_compare' ? 3 : one.kind === 'between' || one.kind === 'json_like' || one.kind === 'json_regex' ? 2 : 1;
  }
  return values;
}
