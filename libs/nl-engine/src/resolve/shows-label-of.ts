import type { Assignment } from './assignment.js';
import { showsKeyOf } from './shows-key-of.js';

/**
 * Returns whether the label of the grouped rows is shown.
 * It is not when one of their columns or their key is shown anyway.
 */
export function showsLabelOf(assignment: Assignment, mention: number): boolean {
  return !showsColumnOf(assignment, mention) && !showsKeyOf(assignment, mention);
}

/**
 * Returns whether a column of the rows is shown.
 * `for each customer, the email and the number of orders` does not ask for the label as well.
 */
function showsColumnOf({ draft, columns }: Assignment, mention: number): boolean {
  return draft.targets.some((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && bound.mention === mention && bound.path.length === 0 && bound.via === null;
  });
}
