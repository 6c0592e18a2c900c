import { paddedLength } from '../sql/placeholder.js';
import type { Containment } from './plan-containment.js';
import type { Condition } from './plan.js';

/**
 * Returns the number of values that the condition binds. Conditions inside subqueries are counted separately.
 */
export function countValues(condition: Condition): number {
  let values = 0;
  const left = [condition];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'group') left.push(...one.conditions);
    else if (one.kind === 'not') left.push(one.condition);
    else values += one.kind === 'in' ? paddedLength(one.values.length) : one.kind === 'json_compare' ? (one.as === 'number' ? 12 : 4) : one.kind === 'json_contains' ? 2 + countContained(one.exact) : one.kind === 'json_like' || one.kind === 'json_regex' ? 3 : one.kind === 'between' ? 2 : 1;
  }
  return values;
}

function countContained(exact: Containment | 'never' | null): number {
  if (exact === null || exact === 'never') return 0;
  if (exact.kind === 'items') return exact.patterns.length * 2;
  if (exact.kind === 'number') return 7;
  return exact.members.reduce((sum, member) => sum + countContained(member.containment), 1 + exact.inArray.length * 2);
}
