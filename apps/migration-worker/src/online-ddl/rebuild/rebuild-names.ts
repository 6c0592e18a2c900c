import { RESERVED_PREFIX } from '@rowhouse/ddl-plan';

/** What one table of a rebuild leaves lying about while it runs; all of it hidden from snapshots. */
export interface RebuildNames {
  /** The new table while it is filled. */
  readonly shadow: string;
  /** The old table once the new one stands in its place. */
  readonly old: string;
  readonly captureInsert: string;
  readonly captureUpdate: string;
  readonly captureDelete: string;
}

/** The same migration and step always give the same names, so that a run that is taken over finds what it has begun. */
export function makeRebuildNames(migrationId: string, step: number, at: number): RebuildNames {
  const stem = makeStem(migrationId, step, at);
  return { shadow: `${stem}s`, old: `${stem}o`, captureInsert: `${stem}i`, captureUpdate: `${stem}u`, captureDelete: `${stem}d` };
}

/** Of a foreign key that stands under another name until the old one is free. */
export function makeKeyName(migrationId: string, step: number, at: number): string {
  return `${makeStem(migrationId, step, at)}f`;
}

/** Longest: 4 + 20 + 1 + 4 + 1 + 3 + 1, which leaves room for `_ibfk_999` within 64. */
function makeStem(migrationId: string, step: number, at: number): string {
  return `${RESERVED_PREFIX}${migrationId.replace(/^mig_/, '')}_${step}_${at}`;
}
