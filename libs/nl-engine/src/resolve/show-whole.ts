import type { Assignment } from './assign.js';
import { isLabelFixed, listFixed } from './list-fixed.js';

/** `users named ada`: what a row is called is known, so who asks for it wants to see the rest of it. */
export function showWhole(assignment: Assignment): Assignment {
  const { draft } = assignment;
  const [target, ...more] = draft.targets;
  if (target?.kind !== 'rows' || more.length > 0 || draft.groups.length > 0 || draft.distinct || !isLabelFixed(assignment, target.mention, listFixed(assignment))) return assignment;
  return { ...assignment, draft: { ...draft, targets: [{ kind: 'everything', mention: target.mention }] } };
}
