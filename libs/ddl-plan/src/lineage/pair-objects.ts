import { AppError } from '@rowhouse/errors';
import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { Lineage, Origin, TableLineage } from './lineage.js';
import { findColumnName, findTableName } from './name-state.js';
import type { Move } from './rename-snapshot.js';

/** A table of the target schema, with the deployed table from which it comes. */
export interface TablePair {
  readonly from: Table;
  readonly to: Table;
  /**
   * Maps the name of each column of the target to the name of its deployed column. New columns are omitted.
   */
  readonly origins: ReadonlyMap<string, string>;
}

/** Pairs of deployed objects and objects of the target. Objects without a pair are created or dropped. */
export interface Pairing {
  /** The pairs, in the order of the target. */
  readonly pairs: readonly TablePair[];
  readonly created: readonly Table[];
  readonly dropped: readonly Table[];
}

/** Returns the renames of columns between a pair of tables. */
export function columnMoves(pair: TablePair): Move[] {
  return [...pair.origins].flatMap(([to, from]) => (from === to ? [] : [{ from, to }]));
}

/** Returns the renames of tables. */
export function tableMoves({ pairs }: Pick<Pairing, 'pairs'>): Move[] {
  return pairs.flatMap(({ from, to }) => (from.name === to.name ? [] : [{ from: from.name, to: to.name }]));
}

/**
 * Pairs the objects of a deployed schema with those of a target schema by identity. Without a lineage,
 * objects with the same name are paired.
 *
 * @throws AppError `schema.rename_not_possible` when an object was renamed that the deployed schema no longer
 * has
 */
export function pairObjects(current: Snapshot, target: Snapshot, lineage: Lineage | null): Pairing {
  const before = tablesOf(current);
  const requested = [...tablesOf(target).values()];
  if (lineage !== null) assertFollowed(requested, lineage);
  const origins = pickOrigins({
    wanted: requested.map((table) => table.name),
    present: new Set(before.keys()),
    find: (name) => findTableName(before, name),
    known: lineage === null ? null : new Set(lineage.known.keys()),
    originOf: (name) => lineage?.tables.get(name) ?? null,
    describe: (name) => `the table ${name}`,
  });
  const pairs = requested.flatMap((to): TablePair[] => {
    const from = before.get(origins.get(to.name) ?? '');
    return from === undefined ? [] : [{ from, to, origins: pairColumns(from, to, lineage) }];
  });
  const taken = new Set(pairs.map((pair) => pair.from.name));
  return {
    pairs,
    created: requested.filter((table) => !origins.has(table.name)),
    dropped: [...before.values()].filter((table) => !taken.has(table.name)),
  };
}

function tablesOf(snapshot: Snapshot): Map<string, Table> {
  return new Map(
    snapshot.tables.filter((table) => table.kind === 'table').map((table) => [table.name, table]),
  );
}

function assertFollowed(requested: readonly Table[], lineage: Lineage): void {
  for (const table of requested) {
    const found = lineage.tables.get(table.name);
    const column =
      found === undefined ? undefined : table.columns.find((entry) => !found.columns.has(entry.name));
    if (found !== undefined && column === undefined) continue;
    const name = column === undefined ? table.name : `${table.name}.${column.name}`;
    throw new AppError('internal.defect', { internal: `the lineage of a plan does not contain ${name}` });
  }
}

function pairColumns(from: Table, to: Table, lineage: Lineage | null): ReadonlyMap<string, string> {
  const table: TableLineage | undefined = lineage?.tables.get(to.name);
  const known = lineage?.known.get(table?.name ?? '');
  const before = new Map(from.columns.map((column) => [column.name, column]));
  const origins = pickOrigins({
    wanted: to.columns.map((column) => column.name),
    present: new Set(before.keys()),
    find: (name) => findColumnName(before, name),
    // If the table is paired by its name instead of its identity, its columns are paired by name too.
    known: table === undefined || known === undefined || table.name !== from.name ? null : known,
    originOf: (name) => table?.columns.get(name) ?? null,
    describe: (name) => `the column ${to.name}.${name}`,
  });
  return withComputed(origins, before, to.columns);
}

/**
 * Pairs generated columns with the same name. They contain no data of their own, so they are changed in place
 * whatever their identity.
 */
function withComputed(
  origins: Map<string, string>,
  before: ReadonlyMap<string, Column>,
  columns: readonly Column[],
): ReadonlyMap<string, string> {
  const taken = new Set(origins.values());
  for (const { name } of columns) {
    const same = findColumnName(before, name);
    if (same !== undefined && !origins.has(name) && !taken.has(same) && before.get(same)?.generated !== null)
      origins.set(name, same);
  }
  return origins;
}

interface Names {
  readonly wanted: readonly string[];
  readonly present: ReadonlySet<string>;
  readonly find: (name: string) => string | undefined;
  /**
   * The names that the deployed revision contains. Null if objects are paired by name instead of by identity.
   */
  readonly known: ReadonlySet<string> | null;
  readonly originOf: (name: string) => Origin | null;
  readonly describe: (name: string) => string;
}

/**
 * Returns the origin of each wanted name. Names without an origin are omitted. Each origin is used only once.
 */
function pickOrigins({
  wanted: requested,
  present,
  find,
  known,
  originOf,
  describe,
}: Names): Map<string, string> {
  const origins = new Map<string, string>();
  const taken = new Set<string>();
  const set = (name: string, origin: string): void => {
    origins.set(name, origin);
    taken.add(origin);
  };
  if (known !== null)
    for (const name of requested) {
      const origin = originOf(name)?.name ?? null;
      if (origin !== null && present.has(origin)) set(name, origin);
    }
  const isForeign = (name: string): boolean => known === null || !known.has(name);
  for (const name of requested) {
    if (origins.has(name)) continue;
    const origin = known === null ? null : originOf(name);
    const takenAs = origin?.takenAs ?? null;
    const candidates = [...(takenAs === null ? [] : [takenAs]), name].flatMap(
      (candidate) => find(candidate) ?? [],
    );
    const found = candidates.find((candidate) => !taken.has(candidate) && isForeign(candidate));
    if (found !== undefined) set(name, found);
    else if (wasRenamed(origin, name)) throw reject(describe(name), describe(origin.name));
  }
  return origins;
}

function wasRenamed(origin: Origin | null, name: string): origin is Origin & { readonly name: string } {
  return origin !== null && origin.name !== null && origin.name.toLowerCase() !== name.toLowerCase();
}

function reject(object: string, origin: string): AppError {
  return new AppError('schema.rename_not_possible', {
    detail: (
      `${object} was renamed from ${origin}, which no longer exists in the database. It was ` +
      'dropped or renamed over a direct connection.'
    ).replace(/^t/, 'T'),
    hint: 'Undo the rename in the working schema, or copy the direct change into it.',
    extra: { object, origin },
  });
}
