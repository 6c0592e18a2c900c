import type { RebuildTable } from '@rowhouse/ddl-plan';

/**
 * Details of a rebuild, as plain JSON. They are collected once, before anything changes, and stored in the
 * journal. A run that takes over could only read a partly changed schema.
 */
export interface RebuildDetails {
  readonly members: readonly RebuildMember[];
  /**
   * Foreign keys between rebuilt tables. They are added to the shadow tables when the copy is complete. Late
   * keys are added just before the swap.
   */
  readonly innerKeys: readonly InnerKey[];
  /**
   * Foreign keys of other tables that reference rebuilt tables. They are changed to reference the shadow
   * tables when those are complete.
   */
  readonly childKeys: readonly ChildKey[];
}

/** A table that is rebuilt. */
export interface RebuildMember {
  readonly at: number;
  readonly details: RebuildTable;
  /** The unique key that identifies rows: an index of the old table and an index of the shadow table. */
  readonly keyIndex: string;
  readonly keyColumns: readonly KeyColumn[];
  /**
   * Foreign keys to tables that are not rebuilt. The shadow table has them from the start, because cascades
   * fire no triggers.
   */
  readonly outKeys: readonly MovedKey[];
  /**
   * Whether the shadow table may contain rows that the table no longer has, because capture triggers miss a
   * cascade between rebuilt tables.
   */
  readonly mayLag: boolean;
  /** Required columns that only the shadow table has, with the value that rows get. */
  readonly filled: readonly { readonly name: string; readonly value: string }[];
  /**
   * How to detect that a copied value is stale. That can happen because a cascade writes columns without
   * firing a trigger.
   */
  readonly comparable: readonly ComparableColumn[];
  readonly rows: number;
}

export interface KeyColumn {
  readonly from: string;
  readonly to: string;
  /** How the column's values are read and written as text; null when chunks do not use it. */
  readonly chunkBy: 'number' | 'text' | 'bytes' | 'quoted' | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /** The type of a variable in a trigger, if the shadow table has another type; otherwise null. */
  readonly castType: string | null;
  /**
   * How chunks of the shadow table use the column, if its type differs there. Details that older releases
   * stored lack this member.
   */
  readonly shadow?: Pick<KeyColumn, 'chunkBy' | 'charset' | 'collation'>;
}

export interface ComparableColumn {
  readonly from: string;
  readonly to: string;
  /**
   * How values are compared.
   * - `value`: by value.
   * - `bytes`: as stored, because collations treat some different texts as equal.
   * - `characters`: equal across character sets.
   * - `absence`: only whether the value is NULL, for types whose values change in the conversion.
   */
  readonly by: 'value' | 'bytes' | 'characters' | 'absence';
}

/** A foreign key with the name `name` before and after the rebuild, and `tempName` on the shadow table. */
export interface MovedKey {
  readonly name: string;
  readonly tempName: string;
  /** The definition that the key must have on the table at the end. */
  readonly definition: string;
  readonly referencedTable: string;
}

export interface InnerKey extends MovedKey {
  /** The index of the rebuilt table that has the key. */
  readonly at: number;
  /** The index of the referenced table. */
  readonly ontoAt: number;
  /**
   * Set for a key that is added just before the swap. Until then the capture trigger for DELETE applies the
   * key's action.
   */
  readonly late: LateKey | null;
}

/**
 * A key with an action that references its own table. MySQL 9.6 and later run actions in the SQL layer. An
 * action in a trigger within another action on such a table fails with error 6575.
 */
export interface LateKey {
  readonly action: 'CASCADE' | 'SET NULL';
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}

export interface ChildKey extends MovedKey {
  readonly table: string;
  readonly ontoAt: number;
  /** The current definition, for a revert. It differs from `definition` only if the plan changes the key. */
  readonly before: string;
  /** The names of the child's indexes. The server renames an index that it created itself. */
  readonly indexes: readonly { readonly name: string; readonly columns: string }[];
}
