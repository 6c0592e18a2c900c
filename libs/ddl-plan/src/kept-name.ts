/** Names that begin so are the platform's: refused in drafts, hidden from snapshots. */
export const RESERVED_PREFIX = '_rh_';

/**
 * What a dropped table or column is called while it is kept. The same migration always gives the same name, so that a
 * run that is taken over finds what it has begun.
 *
 * @param at index of the column among the step's kept columns; 0 for a table
 */
export function keptName(migrationId: string, step: number, at: number): string {
  return `${RESERVED_PREFIX}${migrationId.replace(/^mig_/, '')}_${step}_${at}`;
}
