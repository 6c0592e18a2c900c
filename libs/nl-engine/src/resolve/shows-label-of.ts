import type { Assignment } from './assign.js';
import { showsKeyOf } from './shows-key-of.js';

/** Are the rows that a group is made of shown by what they are called? Not where one of their columns or their key is shown anyway. */
export function showsLabelOf(assignment: Assignment, mention: number): boolean {
  return !showsColumnOf(assignment, mention) && !showsKeyOf(assignment, mention);
}

/** `for each customer, the email and the number of orders`: who says what to show of the rows does not ask for their label as well. */
function showsColumnOf({ draft, columns }: Assignment, mention: number): boolean {
  return draft.targets.some((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && bound.mention === mention && bound.path.length === 0 && bound.via === null;
  });
}
