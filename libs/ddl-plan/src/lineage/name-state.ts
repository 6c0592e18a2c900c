import type { Snapshot } from '@rowhouse/schema-model';

/**
 * The effect of one DDL statement on the names of tables, views and columns.
 * Names are spelled as in the statement.
 */
export type NameChange =
  | {
      readonly kind: 'create_table';
      readonly table: string;
      readonly orReplace: boolean;
      readonly ifNotExists: boolean;
      /** The columns that the statement lists, or the table that `LIKE` copies. */
      readonly columns: readonly string[] | { readonly like: string };
    }
  | { readonly kind: 'create_view'; readonly view: string }
  | { readonly kind: 'drop'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly kind: 'rename_table'; readonly from: string; readonly to: string; readonly ifExists: boolean }
  | {
      readonly kind: 'alter_table';
      readonly table: string;
      readonly ifExists: boolean;
      readonly columns: readonly ColumnNameChange[];
      /** The new name of the table; null when the statement does not rename it. */
      readonly renameTo: string | null;
    };

/**
 * A change of one column name. Names refer to the table before the statement, since servers apply all
 * clauses of an ALTER at once.
 */
export type ColumnNameChange =
  | { readonly kind: 'add'; readonly name: string; readonly ifNotExists: boolean }
  | { readonly kind: 'drop'; readonly name: string; readonly ifExists: boolean }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly ifExists: boolean };

/**
 * The identities of an object, its own first. An object has several when an author declares that a drop and
 * an addition were a rename. A database that never had the added object then finds the dropped one.
 */
export type Identity = readonly number[];

export interface TrackedTable {
  readonly id: Identity;
  readonly kind: 'table' | 'view';
  /** Columns by name, in the order in which they were added. */
  readonly columns: ReadonlyMap<string, Identity>;
}

/** The names of one revision and the object that each of them denotes. */
export type NameState = ReadonlyMap<string, TrackedTable>;

/** The part of a schema that identities depend on. */
export type SchemaNames = Pick<Snapshot, 'tables'>;

/** Finds a column by its name. Servers compare column names case-insensitively. */
export function findColumn<T>(columns: ReadonlyMap<string, T>, name: string): string | undefined {
  if (columns.has(name)) return name;
  const lower = name.toLowerCase();
  return [...columns.keys()].find((key) => key.toLowerCase() === lower);
}

/**
 * Finds a table by its name. A server with case-insensitive table names may list it
 * in another case than the text.
 */
export function findTable<T>(tables: ReadonlyMap<string, T>, name: string): string | undefined {
  if (tables.has(name)) return name;
  const lower = name.toLowerCase();
  const found = [...tables.keys()].filter((key) => key.toLowerCase() === lower);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Creates identities. All revisions of a project share one source, so that no two
 * objects get the same identity.
 */
export class IdentitySource {
  #last = 0;

  next(): Identity {
    this.#last += 1;
    return [this.#last];
  }
}
