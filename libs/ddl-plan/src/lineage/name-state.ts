import type { Snapshot } from '@rowhouse/schema-model';

/**
 * The effect of one DDL statement on the names of tables, views and columns. Names are written as in the
 * statement.
 */
export type NameChange =
  | {
      readonly kind: 'create_table';
      readonly table: string;
      readonly orReplace: boolean;
      readonly ifNotExists: boolean;
      /** The columns in the statement, or the table that `LIKE` copies. */
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
      /** The new name of the table. Null if the statement does not rename it. */
      readonly renameTo: string | null;
    };

/**
 * A change of one column's name. The names are those before the statement, because servers apply all clauses
 * of an ALTER at the same time.
 */
export type ColumnNameChange =
  | { readonly kind: 'add'; readonly name: string; readonly ifNotExists: boolean }
  | { readonly kind: 'drop'; readonly name: string; readonly ifExists: boolean }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly ifExists: boolean };

/**
 * The identities of an object, with its own identity first. An object has several if an author declared that
 * a drop and an addition were a rename. In a database that never had the added object, the dropped one is
 * then found.
 */
export type Identity = readonly number[];

export interface TrackedTable {
  readonly id: Identity;
  readonly kind: 'table' | 'view';
  /** The columns by name, in the order in which they were added. */
  readonly columns: ReadonlyMap<string, Identity>;
}

/** The names in one revision, with the identity of the object to which each refers. */
export type NameState = ReadonlyMap<string, TrackedTable>;

/** The part of a schema on which identities depend. */
export type SchemaNames = Pick<Snapshot, 'tables'>;

/** Finds a column by its name. Servers ignore case in column names. */
export function findColumnName<T>(columns: ReadonlyMap<string, T>, name: string): string | undefined {
  if (columns.has(name)) return name;
  const lower = name.toLowerCase();
  return [...columns.keys()].find((key) => key.toLowerCase() === lower);
}

/**
 * Finds a table by its name. On a server that ignores case in table names, the name in the schema may differ
 * in case from the one in the text.
 */
export function findTableName<T>(tables: ReadonlyMap<string, T>, name: string): string | undefined {
  if (tables.has(name)) return name;
  const lower = name.toLowerCase();
  const found = [...tables.keys()].filter((key) => key.toLowerCase() === lower);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Creates identities. All revisions of a project use the same source, so that two objects never have the same
 * identity.
 */
export class IdentitySource {
  #last = 0;

  next(): Identity {
    this.#last += 1;
    return [this.#last];
  }
}
