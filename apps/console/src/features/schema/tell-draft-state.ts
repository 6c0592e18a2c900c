/**
 * Describes how the draft compares with its databases. `counts` has the number of changes that are not live
 * in each database, or null while it is unknown. The draft is not called live until every database has
 * reported.
 */
export function tellDraftState(counts: readonly (number | null)[], hasFailed: boolean): string {
  if (counts.some((count) => count !== null && count > 0)) return 'This is a draft';
  if (counts.every((count) => count !== null)) return 'The draft is live';
  return hasFailed ? 'The draft could not be compared' : 'Comparing the draft';
}
