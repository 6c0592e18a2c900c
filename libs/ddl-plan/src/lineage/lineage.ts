import type { RenameHint } from '../types.js';
import {
  IdentitySource,
  type Identity,
  type NameState,
  type SchemaNames,
  type TrackedTable,
} from './name-state.js';
import { NameTracker } from './name-tracker.js';

/** The origin of an object in a target schema. */
export interface Origin {
  /** The object's name in the deployed revision. Null if that revision does not contain the object. */
  readonly name: string | null;
  /** The object's name when it was adopted from a direct connection. Null if it was not adopted. */
  readonly takenAs: string | null;
}

export interface TableLineage extends Origin {
  readonly columns: ReadonlyMap<string, Origin>;
}

/** The tables and columns of a target schema, each with its origin in the deployed revision. */
export interface Lineage {
  readonly tables: ReadonlyMap<string, TableLineage>;
  /**
   * The tables and columns that the deployed revision contains. All others in the database were created over
   * direct connections.
   */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The names that objects had when they were adopted from direct connections, by identity. */
export type TakenNames = ReadonlyMap<number, string>;

/** Returns the lineage between two revisions of the same project, in either direction. */
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

/** Returns the state of a schema in which every object has a new identity. */
export function nameStateOf(schema: SchemaNames, ids: IdentitySource): NameState {
  return new NameTracker(new Map(), ids, 'apply').adopt(schema, false).state;
}

/**
 * Returns the lineage that results from a list of renames. They are applied in the given order, like the
 * corresponding statements.
 */
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
