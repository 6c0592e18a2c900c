import { paddedLength } from '../sql/placeholder.js';
import type { Containment } from './plan-containment.js';
import type { Condition } from './condition.js';

/**
 * Returns the number of values that the condition binds. Conditions inside subqueries are counted separately.
 */
export function countValues(condition: Condition): number {
  let values = 0;
  const left = [condition];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind === 'group') left.push(...condition.conditions);
    else if (condition.kind === 'not') left.push(condition.condition);
    else
      values +=
        condition.kind === 'in'
          ? paddedLength(condition.values.length)
          : condition.kind === 'json_compare'
            ? condition.as === 'number'
              ? 12
              : 4
            : condition.kind === 'json_contains'
              ? 2 + countContained(condition.exact)
              : condition.kind === 'json_like' || condition.kind === 'json_regex'
                ? 3
                : condition.kind === 'between'
                  ? 2
                  : 1;
  }
  return values;
}

function countContained(exact: Containment | 'never' | null): number {
  if (exact === null || exact === 'never') return 0;
  if (exact.kind === 'items') return exact.patterns.length * 2;
  if (exact.kind === 'number') return 7;
  return exact.members.reduce(
    (sum, member) => sum + countContained(member.containment),
    1 + exact.inArray.length * 2,
  );
}
