import type { RebuildTable } from '@rowhouse/ddl-plan';

/**
 * The facts of a rebuild, as plain JSON. They are collected once, before anything changes, and stored in the
 * journal, since a run that takes over would read a partly changed schema.
 */
export interface RebuildDetails {
  readonly members: readonly RebuildMember[];
  /**
   * Keys between members. They are added to the shadows when the copy is complete;
   * late ones just before the swap.
   */
  readonly innerKeys: readonly InnerKey[];
  /** Keys of other tables to members. They are pointed at the shadows when those are complete. */
  readonly childKeys: readonly ChildKey[];
}

/** A table that is rebuilt. */
export interface RebuildMember {
  readonly at: number;
  readonly details: RebuildTable;
  /** The unique key that identifies rows: an index of the old table and one of the shadow. */
  readonly keyIndex: string;
  readonly keyColumns: readonly KeyColumn[];
  /**
   * Keys to tables that are not rebuilt. The shadow has them from the start, since cascades fire no triggers.
   */
  readonly outKeys: readonly MovedKey[];
  /**
   * Whether the shadow may contain rows that the table no longer has, because a cascade
   * between members is not captured.
   */
  readonly mayLag: boolean;
  /** Required columns that only the shadow has, with the value that rows get. */
  readonly filled: readonly { readonly name: string; readonly value: string }[];
  /** How to detect that a copied value is stale: a cascade writes columns without firing a trigger. */
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
  /** The type for a variable in a trigger, when the shadow has another type; otherwise null. */
  readonly castType: string | null;
  /**
   * How chunks of the shadow use the column, when it has another type there. Facts of older releases lack it.
   */
  readonly shadow?: Pick<KeyColumn, 'chunkBy' | 'charset' | 'collation'>;
}

export interface ComparableColumn {
  readonly from: string;
  readonly to: string;
  /**
   * The comparison.
   * - `value`: by value.
   * - `bytes`: as stored, since collations treat different texts as equal.
   * - `characters`: equal across character sets.
   * - `absence`: only whether the value is NULL, for types whose values change in the conversion.
   */
  readonly by: 'value' | 'bytes' | 'characters' | 'absence';
}

/** A foreign key that has `name` before and after the rebuild, and `tempName` on the shadow. */
export interface MovedKey {
  readonly name: string;
  readonly tempName: string;
  /** The required final definition on the table. */
  readonly definition: string;
  readonly referencedTable: string;
}

export interface InnerKey extends MovedKey {
  /** The index of its member. */
  readonly at: number;
  /** The index of the referenced member. */
  readonly ontoAt: number;
  /** Set for a key that is added just before the swap. Until then the capture of DELETE does its work. */
  readonly late: LateKey | null;
}

/**
 * A key with an action from a table to itself. MySQL 9.6 and later run actions in the SQL layer. An action in
 * a trigger within another one on such a table fails with 6575.
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
