import { databaseRecordKey } from '@rowhouse/contracts';
import { changeSettings, type WorkerDatabase } from '@rowhouse/platform-store';
import type { RenameHint } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { transferNames, dropRemovedNames, type NamedSettings } from './named-settings.js';
import type { Run } from './run-state.js';

/** Returns the database with settings that name both the old and the new names of a plan's renames. */
export function withTransferredNames(
  database: WorkerDatabase,
  hints: readonly RenameHint[] = [],
): WorkerDatabase {
  return { ...database, settings: { ...database.settings, ...transferNames(database.settings, hints) } };
}

/**
 * Updates the settings before a rename, so that gateways hide columns under either name. Gateways must have
 * applied this before the rename.
 */
export function transferSettings(run: Run): Promise<void> {
  return change(run, (settings, hints) => transferNames(settings, hints));
}

/**
 * Removes names that are not in the published schema `existing`. Settings that users changed during the run
 * under the old names are carried over too.
 */
export function settleSettings(run: Run, existing: Snapshot): Promise<void> {
  return change(run, (settings, hints) => {
    const carried = transferNames(settings, hints);
    return dropRemovedNames(carried ?? settings, hints, existing) ?? carried;
  });
}

async function change(
  { ctx, migration, database }: Run,
  toSettings: (settings: NamedSettings, hints: readonly RenameHint[]) => NamedSettings | null,
): Promise<void> {
  const hints = migration.plan.hints ?? [];
  if (hints.length === 0) return;
  const entry = await changeSettings(ctx.platform, ctx.cellId, database.id, (settings) =>
    toSettings(settings, hints),
  );
  if (entry !== null) await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
}
