import type { UpdatePlan } from '../plan/plan.js';

/** Returns the key that finds the record after the change, which may give it another. */
export function keyAfter({ key, changes }: UpdatePlan): UpdatePlan['key'] {
  return key.map((part) => {
    const change = changes.find((candidate) => candidate.column === part.column);
    return change === undefined ? part : { column: part.column, value: change.value };
  });
}
