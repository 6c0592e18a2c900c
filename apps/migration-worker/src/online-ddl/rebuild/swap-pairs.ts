import type { Run } from '../run-state.js';
import type { RebuildDetails } from './rebuild-details.js';
import { makeRebuildNames } from './rebuild-names.js';

/** A table, its shadow, and the name for the old table after the swap. */
export interface SwapPair {
  readonly table: string;
  readonly shadow: string;
  readonly old: string;
}

export function listPairs(run: Run, step: number, details: RebuildDetails): SwapPair[] {
  return details.members.map((member) => {
    const { shadow, old } = makeRebuildNames(run.migration.id, step, member.at);
    return { table: member.details.table, shadow, old };
  });
}
