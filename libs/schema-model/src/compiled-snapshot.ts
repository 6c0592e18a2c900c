import type { Column, EngineKind, ForeignKey, Index, Rights, Snapshot, Table, Verb } from './types.js';

/**
 * A snapshot as one set of rights may see it. Immutable; tables are compiled when they are first asked for.
 * What the rights do not show is not there: no look-up finds it, no list names it.
 */
export interface CompiledSnapshot {
  readonly number: number;
  readonly engine: EngineKind;
  readonly rights: Rights;
  /** The whole snapshot, unmasked: for the gateway's own bookkeeping, never for answers. */
  readonly snapshot: Snapshot;
  /** Names of the visible tables, in code-unit order. */
  readonly tableNames: readonly string[];
  /** By published path segment (decoded). */
  findByPath(segment: string): CompiledTable | null;
  /** By raw table name. */
  findByName(name: string): CompiledTable | null;
}

export interface CompiledTable {
  readonly schema: CompiledSnapshot;
  readonly name: string;
  /** Between backquotes, ready for SQL. */
  readonly quoted: string;
  readonly kind: Table['kind'];
  readonly path: string;
  /** What the rights allow here; may be empty for a key that may only describe. */
  readonly verbs: readonly Verb[];
  /** Every column, hidden ones too: what a write may name. */
  readonly columns: readonly CompiledColumn[];
  /** What a record shows unless it is told otherwise: neither hidden nor INVISIBLE. */
  readonly shown: readonly CompiledColumn[];
  /** What `{id}` addresses, in key order; null where there is none or a part of it is hidden. */
  readonly rowKey: readonly CompiledColumn[] | null;
  /** A unique `uuid` column that `{id}` understands beside a numeric primary key. */
  readonly uuidKey: CompiledColumn | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Only those whose far table, link table and columns are all visible. */
  readonly relationships: readonly CompiledRelationship[];
  /** By exact name; hidden columns are not found. */
  findColumn(name: string): CompiledColumn | null;
  /** By exact name, hidden columns too. */
  findWritable(name: string): CompiledColumn | null;
  /** By published name, else by a singular or plural that only one of them and of the tables they lead to has. */
  findRelationship(name: string): CompiledRelationship | null;
  /** The table as published, unmasked: definitions, checks, comments. */
  readonly source: Table;
}

export interface CompiledColumn extends Column {
  /** In the table, from 0. */
  readonly position: number;
  /** Between backquotes, ready for SQL. */
  readonly quoted: string;
  readonly hidden: boolean;
  /** The reference system of a geometry column; null: each value has its own. */
  readonly srid: number | null;
  /** A BEFORE INSERT trigger may set it. */
  readonly triggerFilled: boolean;
  /** NOT NULL without a default, or with a zero date for a default, and not assigned by the engine or a trigger: a create must name it. */
  readonly required: boolean;
}

export interface CompiledRelationship {
  readonly name: string;
  readonly kind: 'to_one' | 'to_many' | 'many_to_many';
  readonly near: CompiledTable;
  readonly far: CompiledTable;
  readonly nearColumns: readonly CompiledColumn[];
  readonly farColumns: readonly CompiledColumn[];
  readonly link: CompiledLink | null;
}

export interface CompiledLink {
  readonly table: CompiledTable;
  readonly nearColumns: readonly CompiledColumn[];
  readonly farColumns: readonly CompiledColumn[];
}
