import type { Column, EngineKind, ForeignKey, Index, Rights, Snapshot, Table, Verb } from '../types.js';

/**
 * A snapshot under one set of rights. It is immutable, and tables are compiled on first use. Look-ups and
 * lists do not return tables that the rights hide.
 */
export interface CompiledSnapshot {
  readonly number: number;
  readonly engine: EngineKind;
  readonly rights: Rights;
  /** The whole snapshot, including what the rights hide. It must not be used in responses. */
  readonly snapshot: Snapshot;
  /** Names of the visible tables in code-unit order. */
  readonly tableNames: readonly string[];
  /** Finds a table by its published path segment, decoded. */
  findByPath(segment: string): CompiledTable | null;
  /** Finds a table by its name in the database. */
  findByName(name: string): CompiledTable | null;
}

export interface CompiledTable {
  readonly schema: CompiledSnapshot;
  readonly name: string;
  /** The name in backquotes, ready for SQL. */
  readonly quoted: string;
  readonly kind: Table['kind'];
  readonly path: string;
  /**
   * The verbs that the rights allow on this table. It is empty for a key that may only describe the schema.
   */
  readonly verbs: readonly Verb[];
  /** All columns. Hidden columns are included, since a write may name them. */
  readonly columns: readonly CompiledColumn[];
  /** The columns that a record shows by default: neither hidden nor INVISIBLE. */
  readonly shown: readonly CompiledColumn[];
  /**
   * The columns that `{id}` addresses, in key order.
   * Null when the table has no such key or a part of it is hidden.
   */
  readonly rowKey: readonly CompiledColumn[] | null;
  /** A unique `uuid` column that `{id}` accepts in addition to a numeric primary key. */
  readonly uuidKey: CompiledColumn | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The relationships whose target table, link table and columns are all visible. */
  readonly relationships: readonly CompiledRelationship[];
  /** Finds a column by its exact name. Hidden columns are not found. */
  findColumn(name: string): CompiledColumn | null;
  /** Finds a column by its exact name, including hidden columns. */
  findWritable(name: string): CompiledColumn | null;
  /**
   * Finds a relationship by its published name. Otherwise accepts a singular or plural form that matches only
   * one relationship or target table.
   */
  findRelationship(name: string): CompiledRelationship | null;
  /** The whole published table, including what the rights hide. */
  readonly source: Table;
}

export interface CompiledColumn extends Column {
  /** The position in the table, from 0. */
  readonly position: number;
  /** The name in backquotes, ready for SQL. */
  readonly quoted: string;
  readonly hidden: boolean;
  /** The reference system of a geometry column. Null when each value has its own. */
  readonly srid: number | null;
  /** Whether a BEFORE INSERT trigger may set the column. */
  readonly triggerFilled: boolean;
  /**
   * Whether a create must name the column. It must if the column is NOT NULL, has no default or a zero date,
   * and is not assigned by the engine or a trigger.
   */
  readonly required: boolean;
}

export interface CompiledRelationship {
  readonly name: string;
  readonly kind: 'to_one' | 'to_many' | 'many_to_many';
  readonly source: CompiledTable;
  readonly target: CompiledTable;
  readonly sourceColumns: readonly CompiledColumn[];
  readonly targetColumns: readonly CompiledColumn[];
  readonly link: CompiledLink | null;
}

export interface CompiledLink {
  readonly table: CompiledTable;
  readonly sourceColumns: readonly CompiledColumn[];
  readonly targetColumns: readonly CompiledColumn[];
}

/**
 * Returns the verbs that `rights` allow on a table, or null when the table does not exist for
 * them. A key without verbs (scope `schema` or `query` only) still sees all tables that are not
 * excluded, with an empty list.
 */
export function effectiveVerbs(rights: Rights, table: string): readonly Verb[] | null {
  if (rights.tables === null) return rights.verbs;
  if (!Object.hasOwn(rights.tables, table)) return null;
  const allowed = rights.tables[table] ?? [];
  if (allowed.length === 0) return null;
  return rights.verbs.filter((verb) => allowed.includes(verb));
}
