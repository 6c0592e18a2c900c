import type { Assignment } from './assignment.js';
import { isLabelFixed, listFixed } from './list-fixed.js';

/** Shows all columns when the question already specifies the label, as in `users named ada`. */
export function showWhole(assignment: Assignment): Assignment {
  const { draft } = assignment;
  const [target, ...more] = draft.targets;
  if (
    target?.kind !== 'rows' ||
    more.length > 0 ||
    draft.groups.length > 0 ||
    draft.distinct ||
    !isLabelFixed(assignment, target.mention, listFixed(assignment))
  )
    return assignment;
  return { ...assignment, draft: { ...draft, targets: [{ kind: 'everything', mention: target.mention }] } };
}
