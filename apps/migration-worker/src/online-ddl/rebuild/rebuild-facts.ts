import type { RebuildTable } from '@rowhouse/ddl-plan';

/**
 * What a rebuild works with. Found once, before anything is changed, and stored in the journal: whoever takes the run
 * over would find a half-changed schema. Plain JSON.
 */
export interface RebuildFacts {
  readonly members: readonly RebuildMember[];
  /** Between members; added to the shadows when the copy is complete, late ones just before the swap. */
  readonly innerKeys: readonly InnerKey[];
  /** Of tables that stay as they are, onto members; pointed at the shadows when those are complete. */
  readonly childKeys: readonly ChildKey[];
}

/** One table that is rebuilt. */
export interface RebuildMember {
  readonly at: number;
  readonly details: RebuildTable;
  /** The unique key by which rows are told apart, as an index of the old table and one of the shadow. */
  readonly keyIndex: string;
  readonly keyColumns: readonly KeyColumn[];
  /** Onto tables that are not rebuilt; on the shadow from the start, since cascades fire no triggers. */
  readonly outKeys: readonly MovedKey[];
  /** Whether the shadow can hold rows that the table no longer has: a cascade between members is not captured. */
  readonly mayLag: boolean;
  /** Columns of the shadow that callers must send and the old table lacks, with the value that rows get. */
  readonly filled: readonly { readonly name: string; readonly value: string }[];
  /** What tells that a copied value is not that of the table any more: a cascade writes columns and no trigger hears of it. */
  readonly comparable: readonly ComparableColumn[];
  readonly rows: number;
}

export interface KeyColumn {
  readonly from: string;
  readonly to: string;
  /** How texts of it are read and written; null: chunks do not go by it. */
  readonly chunkBy: 'number' | 'text' | 'bytes' | 'quoted' | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /** As a variable of a trigger would be declared, when the shadow has another type; else null. */
  readonly castType: string | null;
  /** How chunks of the shadow go by it, when it has another type there; facts of an older release lack it. */
  readonly shadow?: Pick<KeyColumn, 'chunkBy' | 'charset' | 'collation'>;
}

export interface ComparableColumn {
  readonly from: string;
  readonly to: string;
  /**
   * `bytes`: as stored, since collations take other texts for equal; `characters`: the same across character sets;
   * `absence`: of a type whose values change with it, whether there is one at all.
   */
  readonly by: 'value' | 'bytes' | 'characters' | 'absence';
}

/** A foreign key that is `name` before and after, and `tempName` on the shadow. */
export interface MovedKey {
  readonly name: string;
  readonly tempName: string;
  /** As it must read on the table afterwards. */
  readonly definition: string;
  readonly referencedTable: string;
}

export interface InnerKey extends MovedKey {
  /** The member that has it. */
  readonly at: number;
  /** The member that it points at. */
  readonly ontoAt: number;
  /** Added only just before the swap; until then the capture of DELETE does what it would do. */
  readonly late: LateKey | null;
}

/**
 * A key from a table onto itself with an action. MySQL 9.6 and later run actions in the SQL layer, and one inside a trigger,
 * inside another on such a table, ends with 6575.
 */
export interface LateKey {
  readonly action: 'CASCADE' | 'SET NULL';
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
}

export interface ChildKey extends MovedKey {
  readonly table: string;
  readonly ontoAt: number;
  /** As it reads now, for the way back; differs from `definition` only if the plan changes it. */
  readonly before: string;
  /** Indexes of the child as they are called; the server renames one that it made itself. */
  readonly indexes: readonly { readonly name: string; readonly columns: string }[];
}
