import { RESERVED_PREFIX } from '@rowhouse/ddl-plan';
import type { Run } from '../run-state.js';
import type { RebuildDetails } from '@rowhouse/platform-store';

/** A table, its shadow, and the name for the old table after the swap. */
export interface SwapPair {
  readonly table: string;
  readonly shadow: string;
  readonly old: string;
}

/** The names of one table's temporary objects during a rebuild. Snapshots hide these objects. */
export interface RebuildNames {
  /** The name of the new table while it is being filled. */
  readonly shadow: string;
  /** The name of the old table after the new table has replaced it. */
  readonly old: string;
  readonly captureInsert: string;
  readonly captureUpdate: string;
  readonly captureDelete: string;
}

/**
 * Returns the names of temporary objects. They depend only on the migration, the step and the index, so a
 * worker that takes over finds the existing objects.
 */
export function makeRebuildNames(migrationId: string, step: number, index: number): RebuildNames {
  const stem = makeStem(migrationId, step, index);
  return {
    shadow: `${stem}s`,
    old: `${stem}o`,
    captureInsert: `${stem}i`,
    captureUpdate: `${stem}u`,
    captureDelete: `${stem}d`,
  };
}

/** Returns the temporary name of a foreign key, used until the old key's name is free. */
export function makeKeyName(migrationId: string, step: number, index: number): string {
  return `${makeStem(migrationId, step, index)}f`;
}

/**
 * Returns the beginning that the names share. It has at most 4 + 20 + 1 + 4 + 1 + 3 + 1 characters, so a name
 * with the suffix `_ibfk_999` is not longer than 64 characters.
 */
function makeStem(migrationId: string, step: number, index: number): string {
  return `${RESERVED_PREFIX}${migrationId.replace(/^mig_/, '')}_${step}_${index}`;
}

export function listPairs(run: Run, step: number, details: RebuildDetails): SwapPair[] {
  return details.members.map((member) => {
    const { shadow, old } = makeRebuildNames(run.migration.id, step, member.at);
    return { table: member.details.table, shadow, old };
  });
}
