import type { UpdatePlan } from '../plan/plan.js';

/** Returns the key of the record after the change, which may assign another key. */
export function keyAfter({ key, changes }: UpdatePlan): UpdatePlan['key'] {
  return key.map((part) => {
    const change = changes.find((candidate) => candidate.column === part.column);
    return change === undefined ? part : { column: part.column, value: change.value };
  });
}
