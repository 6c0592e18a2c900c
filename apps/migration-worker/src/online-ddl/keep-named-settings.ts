import { databaseRecordKey } from '@rowhouse/contracts';
import { changeSettings, type WorkerDatabase } from '@rowhouse/platform-store';
import type { RenameHint } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { carryNames, dropGoneNames, type NamedSettings } from './named-settings.js';
import type { Run } from './run-state.js';

/** The database as its settings are once all renames of a plan are carried. */
export function withCarriedNames(database: WorkerDatabase, hints: readonly RenameHint[] = []): WorkerDatabase {
  return { ...database, settings: { ...database.settings, ...carryNames(database.settings, hints) } };
}

/** Before a rename: from then on gateways hide what is hidden under either name. They have to follow before the rename is made. */
export function carrySettings(run: Run): Promise<void> {
  return change(run, (settings, hints) => carryNames(settings, hints));
}

/** Once `standing` is published: names that are not in it go. What was set meanwhile, by the names of before, follows too. */
export function settleSettings(run: Run, standing: Snapshot): Promise<void> {
  return change(run, (settings, hints) => {
    const carried = carryNames(settings, hints);
    return dropGoneNames(carried ?? settings, hints, standing) ?? carried;
  });
}

async function change({ ctx, migration, database }: Run, toSettings: (settings: NamedSettings, hints: readonly RenameHint[]) => NamedSettings | null): Promise<void> {
  const hints = migration.plan.hints ?? [];
  if (hints.length === 0) return;
  const entry = await changeSettings(ctx.platform, ctx.cellId, database.id, (settings) => toSettings(settings, hints));
  if (entry !== null) await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
}
