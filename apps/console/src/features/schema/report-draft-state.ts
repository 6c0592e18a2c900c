/**
 * Describes how the draft compares with its databases. `counts` has the number of changes that are not live
 * in each database, or null while it is unknown. The draft is not called live until every database has
 * reported.
 */
export function reportDraftState(counts: readonly (number | null)[], hasFailed: boolean): string {
  if (counts.some((count) => count !== null && count > 0)) return 'Draft';
  if (counts.every((count) => count !== null)) return 'No pending changes';
  return hasFailed ? 'Couldn’t compare the draft' : 'Comparing the draft';
}
