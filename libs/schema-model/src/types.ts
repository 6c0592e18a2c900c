/**
 * The immutable description of the deployed schema of one database.
 *
 * A snapshot is plain JSON. It is stored compressed under its content hash and sent between processes. Its
 * number is not part of the content, so that two equal schemas share one body.
 */
export interface Snapshot {
  readonly format: 1;
  readonly engine: EngineKind;
  readonly tables: readonly Table[];
  /** Deployed procedures and functions; absent if the schema has none. */
  readonly routines?: readonly Routine[];
}

export type EngineKind = 'mariadb' | 'mysql';

export interface Table {
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** The published path segment. It stays with the table once assigned. */
  readonly path: string;
  readonly comment: string;
  readonly collation: string | null;
  readonly columns: readonly Column[];
  /** The columns of PRIMARY in key order; null without one. */
  readonly primaryKey: readonly string[] | null;
  /**
   * The columns that `{id}` addresses: PRIMARY, or else the unique not-null key with the lowest name. With
   * null, only list and create exist.
   */
  readonly rowKey: readonly string[] | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly CheckConstraint[];
  /**
   * The column that `created_after` compares, if it is not the one that a new table would get.
   * It does not change once assigned.
   */
  readonly createdColumn?: string;
  /** The relationships with the stable names that `nameSnapshot` computes. */
  readonly relationships: readonly Relationship[];
  /** The output of SHOW CREATE, without AUTO_INCREMENT=n and DEFINER. */
  readonly createSql: string;
  /**
   * The triggers in the order in which the server runs them for one timing and event; absent without
   * triggers.
   */
  readonly triggers?: readonly Trigger[];
}

export interface Trigger {
  readonly name: string;
  readonly timing: 'BEFORE' | 'AFTER';
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The CREATE TRIGGER statement without DEFINER. */
  readonly createSql: string;
}

export interface Routine {
  readonly name: string;
  readonly kind: 'procedure' | 'function';
  /** The output of SHOW CREATE without DEFINER. */
  readonly createSql: string;
}

export interface Column {
  readonly name: string;
  /** The base type in lower case, as in `COLUMNS.DATA_TYPE`: `int`, `varchar`, `uuid`, … */
  readonly type: string;
  /** The full type as in COLUMN_TYPE: `int(10) unsigned`, `enum('a','b')`. */
  readonly sqlType: string;
  /** The kind of JSON value for the column. */
  readonly valueKind: ValueKind;
  readonly nullable: boolean;
  readonly default: ColumnDefault;
  readonly autoIncrement: boolean;
  readonly generated: 'virtual' | 'stored' | null;
  readonly invisible: boolean;
  readonly unsigned: boolean;
  /** The length in characters for text, in bytes for binary. */
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** The number of fractional digits of TIME, DATETIME and TIMESTAMP. */
  readonly fraction: number | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /** The labels of ENUM and SET, in order. */
  readonly labels: readonly string[] | null;
  readonly onUpdateNow: boolean;
  readonly comment: string;
  /** Derived from the column's name or its `@format` tag; see `findFormat`. */
  readonly format: ColumnFormat | null;
  /** The column's line in SHOW CREATE TABLE, after its name. */
  readonly definition: string;
}

export type ColumnFormat = 'email' | 'uri' | 'uuid' | 'date' | 'date-time' | 'ipv4' | 'ipv6' | 'hostname';

export type ValueKind =
  | 'integer'
  | 'decimal'
  | 'float'
  | 'double'
  | 'boolean'
  | 'bit'
  | 'string'
  | 'enum'
  | 'set'
  | 'date'
  | 'datetime'
  | 'timestamp'
  | 'time'
  | 'year'
  | 'json'
  | 'binary'
  | 'uuid'
  | 'inet'
  | 'vector'
  | 'geometry';

export type ColumnDefault =
  | { readonly kind: 'none' }
  | { readonly kind: 'null' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string };

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly kind: 'btree' | 'fulltext' | 'spatial' | 'hash' | 'vector';
  readonly columns: readonly IndexColumn[];
  /** The line in SHOW CREATE TABLE. Empty for a PRIMARY key that is written at its column. */
  readonly definition: string;
}

export interface IndexColumn {
  /** The column; null for an expression in a functional index. */
  readonly name: string | null;
  readonly prefixLength: number | null;
  readonly descending: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  readonly definition: string;
}

export type ReferentialAction = 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'NO ACTION' | 'SET DEFAULT';

export interface CheckConstraint {
  readonly name: string;
  readonly clause: string;
  readonly definition: string;
}

/**
 * A path from one table to another that `include`, dotted filters and dotted sorts can follow. Snapshots
 * store its members by these names. `compile-table.ts` maps them to `source` and `target`.
 */
export interface Relationship {
  readonly name: string;
  readonly kind: 'to_one' | 'to_many' | 'many_to_many';
  /** The target table. */
  readonly table: string;
  /** The columns of the source table, in the order of `farColumns` (or of `link.nearColumns`). */
  readonly nearColumns: readonly string[];
  /** The columns of the target table. */
  readonly farColumns: readonly string[];
  /** The foreign keys of the relationship: one, or the source and target key of the link table. */
  readonly foreignKeys: readonly { readonly table: string; readonly name: string }[];
  /** Set only for many_to_many. */
  readonly link: RelationshipLink | null;
}

export interface RelationshipLink {
  readonly table: string;
  /** Columns of the link table that reference the source table. `farColumns` reference the target table. */
  readonly nearColumns: readonly string[];
  readonly farColumns: readonly string[];
}

/**
 * The capabilities of a database server. They are probed once and stored in the row of the server.
 * Callers never check versions.
 */
export interface EngineCapabilities {
  readonly engine: EngineKind;
  readonly version: string;
  readonly insertReturning: boolean;
  readonly deleteReturning: boolean;
  /** The result of a regular expression that exceeds the step limit: an error, or no match and a warning. */
  readonly regexFaults: 'raised' | 'warned';
  readonly alterNowait: boolean;
  readonly alterNocopy: boolean;
  readonly maxStatementTimeForAll: boolean;
  readonly killUser: boolean;
  readonly twoPasswords: 'retain' | 'alternatives' | 'none';
  readonly invisibleColumns: boolean;
  readonly uuidType: boolean;
  readonly vectorType: boolean;
  readonly performanceSchema: boolean;
  readonly rebuild: boolean;
  /**
   * `galera` means that several nodes accept writes and DDL runs on all of them simultaneously. Absent when
   * the server was probed by a version that did not check this.
   */
  readonly cluster?: 'none' | 'galera';
  /**
   * Settings that the operator should change on the server, in sentences. Absent when the server was probed
   * by a version that did not check this.
   */
  readonly advice?: readonly string[];
}

/** The verbs that a right or a plan can name. */
export type Verb = 'read' | 'write' | 'delete';

/**
 * The permissions of a key as the gateway compiles them.
 * With `tables: null`, they cover every table, including future ones.
 */
export interface Rights {
  readonly tables: Readonly<Record<string, readonly Verb[]>> | null;
  readonly verbs: readonly Verb[];
  /** Hidden columns by table. They are the same for every key of a database. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>;
  /** TINYINT(1) columns, by table, that are numbers instead of booleans. Absent instead of empty. */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>> | undefined;
}
