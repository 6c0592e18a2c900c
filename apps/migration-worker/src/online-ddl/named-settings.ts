import type { DatabaseSettings } from '@rowhouse/contracts';
import type { RenameHint } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { databaseRecordKey } from '@rowhouse/contracts';
import { changeSettings, type WorkerDatabase } from '@rowhouse/platform-store';
import type { Run } from './run-state.js';

/** The settings that contain names of tables and columns. */
export type NamedSettings = Pick<
  DatabaseSettings,
  'hidden_columns' | 'unindexed_columns' | 'number_columns' | 'require_if_match'
>;
type Columns = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the settings with both the old and the new name of each renamed object, so that hidden columns stay
 * hidden in both schemas. Returns null if the settings name no renamed object.
 */
export function transferNames(settings: NamedSettings, hints: readonly RenameHint[]): NamedSettings | null {
  return changed(settings, {
    hidden_columns: transferColumns(settings.hidden_columns, hints),
    unindexed_columns: transferColumns(settings.unindexed_columns, hints),
    number_columns: transferColumns(settings.number_columns, hints),
    require_if_match: hints.reduce<readonly string[]>(
      (tables, hint) =>
        hint.kind === 'table' && tables.includes(hint.from) ? union(tables, [hint.to]) : tables,
      settings.require_if_match,
    ),
  });
}

/**
 * Returns the settings without names of renamed objects that do not exist. Returns null if there is nothing
 * to remove.
 */
export function dropRemovedNames(
  settings: NamedSettings,
  hints: readonly RenameHint[],
  { tables }: Pick<Snapshot, 'tables'>,
): NamedSettings | null {
  const present = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  const renamedTables = new Set(hints.flatMap((hint) => (hint.kind === 'table' ? [hint.from, hint.to] : [])));
  const renamedColumns = listRenamedColumns(hints);
  const isRemoved = (table: string): boolean => renamedTables.has(table) && !present.has(table);
  const drop = (columns: Columns): Columns =>
    Object.fromEntries(
      Object.entries(columns).flatMap(([table, names]) => {
        const left = names.filter(
          (name) => renamedColumns.get(table)?.has(name) !== true || present.get(table)?.has(name) !== false,
        );
        return isRemoved(table) || (left.length === 0 && names.length > 0) ? [] : [[table, left]];
      }),
    );
  return changed(settings, {
    hidden_columns: drop(settings.hidden_columns),
    unindexed_columns: drop(settings.unindexed_columns),
    number_columns: drop(settings.number_columns),
    require_if_match: settings.require_if_match.filter((table) => !isRemoved(table)),
  });
}

/** Returns the old and the new names of renamed columns, by the old and the new name of their table. */
function listRenamedColumns(hints: readonly RenameHint[]): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map<string, ReadonlySet<string>>();
  for (const hint of hints) {
    if (hint.kind === 'table')
      columns.set(hint.to, new Set([...(columns.get(hint.to) ?? []), ...(columns.get(hint.from) ?? [])]));
    else columns.set(hint.table, new Set([...(columns.get(hint.table) ?? []), hint.from, hint.to]));
  }
  return columns;
}

function transferColumns(columns: Columns, hints: readonly RenameHint[]): Columns {
  const carried = new Map(Object.entries(columns));
  for (const hint of hints) {
    const names = carried.get(hint.kind === 'table' ? hint.from : hint.table);
    if (names === undefined) continue;
    if (hint.kind === 'table') carried.set(hint.to, union(carried.get(hint.to) ?? [], names));
    else if (names.includes(hint.from)) carried.set(hint.table, union(names, [hint.to]));
  }
  return Object.fromEntries(carried);
}

function union(names: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...names, ...more])];
}

function changed(
  { hidden_columns, unindexed_columns, number_columns, require_if_match }: NamedSettings,
  next: NamedSettings,
): NamedSettings | null {
  return JSON.stringify({ hidden_columns, unindexed_columns, number_columns, require_if_match }) ===
    JSON.stringify(next)
    ? null
    : next;
}

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
 * Removes names from the settings that are not in the published schema `existing`. If a user changed settings
 * under an old name during the run, they are transferred to the new name.
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
