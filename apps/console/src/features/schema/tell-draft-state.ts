/**
 * The draft beside what its databases run; `counts` are the changes that are not live in each, null while nobody knows.
 * It is not called live before every database has said so.
 */
export function tellDraftState(counts: readonly (number | null)[], hasFailed: boolean): string {
  if (counts.some((count) => count !== null && count > 0)) return 'This is a draft';
  if (counts.every((count) => count !== null)) return 'The draft is live';
  return hasFailed ? 'The draft could not be compared' : 'Comparing the draft';
}
