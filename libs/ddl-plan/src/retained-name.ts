/**
 * The prefix of names that the platform uses for its own objects. Drafts cannot use such names, and snapshots
 * do not contain them.
 */
export const RESERVED_PREFIX = '_rh_';

/**
 * Returns the name that a dropped table or column has while it is retained. For the same migration, the name
 * is always the same, so that another worker can resume the run.
 *
 * @param index the index of the column among the retained columns of the step; 0 for a table
 */
export function retainedName(migrationId: string, step: number, index: number): string {
  return `${RESERVED_PREFIX}${migrationId.replace(/^mig_/, '')}_${step}_${index}`;
}
