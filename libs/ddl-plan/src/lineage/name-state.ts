import type { Snapshot } from '@rowhouse/schema-model';

/**
 * The identities of an object, its own first. It has several once an author declares that a drop and an addition were a
 * rename: a database that never had the added object then finds the dropped one.
 */
export type Identity = readonly number[];

export interface TrackedTable {
  readonly id: Identity;
  readonly kind: 'table' | 'view';
  /** By name, in the order in which the columns were added. */
  readonly columns: ReadonlyMap<string, Identity>;
}

/** The names of one revision, and which object each of them stands for. */
export type NameState = ReadonlyMap<string, TrackedTable>;

/** The names of a schema, as far as identities are concerned. */
export type SchemaNames = Pick<Snapshot, 'tables'>;

/** Finds a column by its name. Engines compare column names without case. */
export function findColumn<T>(columns: ReadonlyMap<string, T>, name: string): string | undefined {
  if (columns.has(name)) return name;
  const lower = name.toLowerCase();
  return [...columns.keys()].find((key) => key.toLowerCase() === lower);
}

/** Finds a table by its name. A server that folds table names lists them in another case than the text has. */
export function findTable<T>(tables: ReadonlyMap<string, T>, name: string): string | undefined {
  if (tables.has(name)) return name;
  const lower = name.toLowerCase();
  const found = [...tables.keys()].filter((key) => key.toLowerCase() === lower);
  return found.length === 1 ? found[0] : undefined;
}

/** Gives identities. One source serves all revisions of a project, so that no two objects share one. */
export class IdentitySource {
  #last = 0;

  next(): Identity {
    this.#last += 1;
    return [this.#last];
  }
}
