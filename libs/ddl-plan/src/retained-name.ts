/** The prefix of names that belong to the platform. Drafts cannot use it, and snapshots hide such names. */
export const RESERVED_PREFIX = '_rh_';

/**
 * Returns the name of a dropped table or column while it is retained. The same migration always gives the
 * same name, so that another worker can resume the run.
 *
 * @param index the index of the column among the retained columns of the step; 0 for a table
 */
export function retainedName(migrationId: string, step: number, index: number): string {
  return `${RESERVED_PREFIX}${migrationId.replace(/^mig_/, '')}_${step}_${index}`;
}
