import type { Column, EngineKind, ForeignKey, Index, Rights, Snapshot, Table, Verb } from '../types.js';

/**
 * A schema snapshot as seen with one set of rights. It is immutable, and each table is compiled when it is
 * first used. No method returns tables that the rights hide.
 */
export interface CompiledSnapshot {
  readonly number: number;
  readonly engine: EngineKind;
  readonly rights: Rights;
  /** The complete snapshot, including everything that the rights hide. It must not be used for responses. */
  readonly snapshot: Snapshot;
  /** The names of the visible tables, sorted by UTF-16 code units. */
  readonly tableNames: readonly string[];
  /** Finds a visible table by its published path segment, after decoding. */
  findByPath(segment: string): CompiledTable | null;
  /** Finds a visible table by its name in the database. */
  findByName(name: string): CompiledTable | null;
}

export interface CompiledTable {
  readonly schema: CompiledSnapshot;
  readonly name: string;
  /** The name in backquotes, for use in SQL. */
  readonly quoted: string;
  readonly kind: Table['kind'];
  readonly path: string;
  /**
   * The verbs that the rights allow on this table. The list is empty for an API key that may only read the
   * schema.
   */
  readonly verbs: readonly Verb[];
  /** All columns, including hidden ones, which a write may name. */
  readonly columns: readonly CompiledColumn[];
  /** The columns that a record contains by default, which are neither hidden nor INVISIBLE. */
  readonly shown: readonly CompiledColumn[];
  /**
   * The columns whose values `{id}` contains, in the order of the key. Null if the table has no such key, or
   * if a part of the key is hidden.
   */
  readonly rowKey: readonly CompiledColumn[] | null;
  /** A unique `uuid` column whose value `{id}` may contain instead of a numeric primary key. */
  readonly uuidKey: CompiledColumn | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** The relationships whose target table, link table and columns are all visible. */
  readonly relationships: readonly CompiledRelationship[];
  /** Finds a column by its exact name. Does not find hidden columns. */
  findColumn(name: string): CompiledColumn | null;
  /** Finds a column by its exact name. Finds hidden columns too. */
  findWritable(name: string): CompiledColumn | null;
  /**
   * Finds a relationship by its published name. A singular or plural form is accepted too, if it matches only
   * one relationship or target table.
   */
  findRelationship(name: string): CompiledRelationship | null;
  /** The complete published table, including everything that the rights hide. */
  readonly source: Table;
}

export interface CompiledColumn extends Column {
  /** The position of the column in the table, counted from 0. */
  readonly position: number;
  /** The name in backquotes, for use in SQL. */
  readonly quoted: string;
  readonly hidden: boolean;
  /** The spatial reference system of a geometry column. Null if each value has its own. */
  readonly srid: number | null;
  /** Whether a BEFORE INSERT trigger may assign a value to the column. */
  readonly triggerFilled: boolean;
  /**
   * Whether a create must name the column. This is the case if the column is NOT NULL, has no default or a
   * default with a zero date, and gets no value from the engine or a trigger.
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
 * Returns the verbs that `rights` allow on a table. Returns null if the table is not visible with these
 * rights. An API key without verbs, which has only the scope `schema` or `query`, still sees all tables that
 * are not excluded. For these, the list is empty.
 */
export function effectiveVerbs(rights: Rights, table: string): readonly Verb[] | null {
  if (rights.tables === null) return rights.verbs;
  if (!Object.hasOwn(rights.tables, table)) return null;
  const allowed = rights.tables[table] ?? [];
  if (allowed.length === 0) return null;
  return rights.verbs.filter((verb) => allowed.includes(verb));
}
