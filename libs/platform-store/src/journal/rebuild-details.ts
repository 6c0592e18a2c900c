import type { RebuildTable } from '@rowhouse/ddl-plan';

/**
 * The details of a rebuild as plain JSON. They are collected once before anything changes, and stored in the
 * journal. A worker that continues the rebuild could read only a schema that is partly changed.
 */
export interface RebuildDetails {
  readonly members: readonly RebuildMember[];
  /**
   * The foreign keys between rebuilt tables. They are added to the shadow tables when the copy is complete,
   * or just before the swap if `late` is set.
   */
  readonly innerKeys: readonly InnerKey[];
  /**
   * The foreign keys of other tables that refer to rebuilt tables. When the shadow tables are complete, these
   * keys are changed to refer to them.
   */
  readonly childKeys: readonly ChildKey[];
}

/** A table that is rebuilt. */
export interface RebuildMember {
  readonly at: number;
  readonly details: RebuildTable;
  /** The unique key that identifies rows. Both the old table and the shadow table have an index for it. */
  readonly keyIndex: string;
  readonly keyColumns: readonly KeyColumn[];
  /**
   * The foreign keys to tables that are not rebuilt. The shadow table has them from the beginning, because a
   * cascade would not fire the triggers that keep it up to date.
   */
  readonly outKeys: readonly MovedKey[];
  /**
   * Whether the shadow table may contain rows that the table no longer has. This can happen if a cascade
   * between rebuilt tables deletes rows, because a cascade fires no triggers.
   */
  readonly mayLag: boolean;
  /** Required columns that only the shadow table has, with the values that its rows get. */
  readonly filled: readonly { readonly name: string; readonly value: string }[];
  /**
   * How to detect that a copied value is outdated. Values can become outdated because a cascade writes
   * columns without firing a trigger.
   */
  readonly comparable: readonly ComparableColumn[];
  readonly rows: number;
}

export interface KeyColumn {
  readonly from: string;
  readonly to: string;
  /**
   * How the values of the column are read and written as text. Null if the column is not used to divide the
   * table into chunks.
   */
  readonly chunkBy: 'number' | 'text' | 'bytes' | 'quoted' | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /**
   * The type of a variable for the column in a trigger, if the shadow table has another type. Null otherwise.
   */
  readonly castType: string | null;
  /**
   * How the column is used to divide the shadow table into chunks, if its type is different there. Absent in
   * details that older releases stored.
   */
  readonly shadow?: Pick<KeyColumn, 'chunkBy' | 'charset' | 'collation'>;
}

export interface ComparableColumn {
  readonly from: string;
  readonly to: string;
  /**
   * How the values of the column are compared.
   * - `value`: by value.
   * - `bytes`: by their stored bytes, because collations treat some different texts as equal.
   * - `characters`: by their characters, whatever the character set.
   * - `absence`: only whether they are NULL, for types whose values change in the conversion.
   */
  readonly by: 'value' | 'bytes' | 'characters' | 'absence';
}

/** A foreign key that is called `name` before and after the rebuild, and `tempName` on the shadow table. */
export interface MovedKey {
  readonly name: string;
  readonly tempName: string;
  /** The definition that the foreign key must have on the table at the end. */
  readonly definition: string;
  readonly referencedTable: string;
}

export interface InnerKey extends MovedKey {
  /** The index of the rebuilt table that has the foreign key. */
  readonly at: number;
  /** The index of the rebuilt table to which the foreign key refers. */
  readonly ontoAt: number;
  /**
   * Set for a foreign key that is added just before the swap. Until then, a trigger for DELETE performs the
   * key's action. Null for other keys.
   */
  readonly late: LateKey | null;
}

/**
 * A foreign key with an action that refers to its own table. MySQL 9.6 and later run such actions in the SQL
 * layer. An action in a trigger fails there with error 6575 if it runs inside another action on the same
 * table.
 */
export interface LateKey {
  readonly action: 'CASCADE' | 'SET NULL';
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}

export interface ChildKey extends MovedKey {
  readonly table: string;
  readonly ontoAt: number;
  /**
   * The current definition of the foreign key, for a revert. It is different from `definition` only if the
   * plan changes the key.
   */
  readonly before: string;
  /**
   * The names of the indexes on the referring table. If the server created an index itself, it also renames
   * it.
   */
  readonly indexes: readonly { readonly name: string; readonly columns: string }[];
}
