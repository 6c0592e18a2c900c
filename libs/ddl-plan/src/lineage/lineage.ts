import type { RenameHint } from '../types.js';
import {
  IdentitySource,
  type Identity,
  type NameState,
  type SchemaNames,
  type TrackedTable,
} from './name-state.js';
import { NameTracker } from './name-tracker.js';

/** The origin of an object of a target schema. */
export interface Origin {
  /** The name in the deployed revision; null when that revision does not have the object. */
  readonly name: string | null;
  /** The name under which the object was adopted from a direct connection; null when it was not. */
  readonly takenAs: string | null;
}

export interface TableLineage extends Origin {
  readonly columns: ReadonlyMap<string, Origin>;
}

/** The tables and columns of a target schema, each with its origin in the deployed revision. */
export interface Lineage {
  readonly tables: ReadonlyMap<string, TableLineage>;
  /** The tables and columns of the deployed revision. All others were created over direct connections. */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The names under which objects were adopted from direct connections, by identity. */
export type TakenNames = ReadonlyMap<number, string>;

/** Compares two revisions of one project, in either direction. */
export function lineageBetween(
  deployed: NameState,
  target: NameState,
  taken: TakenNames = new Map(),
): Lineage {
  const before = new Map<number, { readonly name: string; readonly table: TrackedTable }>();
  for (const [name, table] of deployed)
    if (table.kind === 'table')
      for (const id of table.id) if (!before.has(id)) before.set(id, { name, table });
  const columnsBefore = new Map<number, string>();
  for (const { table } of before.values())
    for (const [name, ids] of table.columns)
      for (const id of ids) if (!columnsBefore.has(id)) columnsBefore.set(id, name);
  const takenAs = (ids: Identity): string | null => ids.flatMap((id) => taken.get(id) ?? [])[0] ?? null;
  const tables = new Map<string, TableLineage>();
  for (const [name, table] of target) {
    if (table.kind !== 'table') continue;
    const columns = new Map(
      [...table.columns].map(([column, ids]): [string, Origin] => [
        column,
        { name: ids.flatMap((id) => columnsBefore.get(id) ?? [])[0] ?? null, takenAs: takenAs(ids) },
      ]),
    );
    tables.set(name, {
      name: table.id.flatMap((id) => before.get(id)?.name ?? [])[0] ?? null,
      takenAs: takenAs(table.id),
      columns,
    });
  }
  const known = new Map(
    [...deployed]
      .filter(([, table]) => table.kind === 'table')
      .map(([name, table]) => [name, new Set(table.columns.keys())]),
  );
  return { tables, known };
}

/** Returns the state of a schema in which every object gets a new identity. */
export function nameStateOf(schema: SchemaNames, ids: IdentitySource): NameState {
  return new NameTracker(new Map(), ids, 'apply').adopt(schema, false).state;
}

/** Interprets a list of renames, in the order given, as if they were the corresponding statements. */
export function lineageOfHints(
  current: SchemaNames,
  target: SchemaNames,
  hints: readonly RenameHint[],
): Lineage {
  const ids = new IdentitySource();
  const state = nameStateOf(current, ids);
  const tracker = new NameTracker(state, ids, 'apply');
  for (const hint of hints) {
    if (hint.kind === 'table')
      tracker.apply({ kind: 'rename_table', from: hint.from, to: hint.to, ifExists: true });
    else
      tracker.apply({
        kind: 'alter_table',
        table: hint.table,
        ifExists: true,
        renameTo: null,
        columns: [{ kind: 'rename', from: hint.from, to: hint.to, ifExists: true }],
      });
  }
  return lineageBetween(state, tracker.adopt(target, false).state);
}
