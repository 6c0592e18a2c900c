/**
 * The immutable description of one database's deployed schema.
 *
 * A snapshot is plain JSON: it is stored compressed by content hash, sent between processes and
 * never changed. Its number is not part of the content, so that two equal schemas share one body.
 */
export interface Snapshot {
  readonly format: 1;
  readonly engine: EngineKind;
  readonly tables: readonly Table[];
  /** Procedures and functions that came by schema text; absent when there are none. */
  readonly routines?: readonly Routine[];
}

export type EngineKind = 'mariadb' | 'mysql';

export interface Table {
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** The published path segment. Sticky: once given it stays with this table. */
  readonly path: string;
  readonly comment: string;
  readonly collation: string | null;
  readonly columns: readonly Column[];
  /** Columns of PRIMARY in key order; null without one. */
  readonly primaryKey: readonly string[] | null;
  /** What `{id}` addresses: PRIMARY, else the lowest-named unique not-null key; null: list and create only. */
  readonly rowKey: readonly string[] | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly CheckConstraint[];
  /** Where it is not the one that a new table would have: what `created_after` compares. Sticky. */
  readonly createdColumn?: string;
  /** Sticky names, computed by `nameSnapshot`. */
  readonly relationships: readonly Relationship[];
  /** SHOW CREATE, without AUTO_INCREMENT=n and without DEFINER. */
  readonly createSql: string;
  /** In the order in which they fire within one timing and event; absent when there are none. */
  readonly triggers?: readonly Trigger[];
}

export interface Trigger {
  readonly name: string;
  readonly timing: 'BEFORE' | 'AFTER';
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE';
  /** CREATE TRIGGER, without DEFINER. */
  readonly createSql: string;
}

export interface Routine {
  readonly name: string;
  readonly kind: 'procedure' | 'function';
  /** SHOW CREATE, without DEFINER. */
  readonly createSql: string;
}

export interface Column {
  readonly name: string;
  /** The base type in lower case, as information_schema.COLUMNS.DATA_TYPE gives it: `int`, `varchar`, `uuid`, … */
  readonly type: string;
  /** COLUMN_TYPE: `int(10) unsigned`, `enum('a','b')`. */
  readonly sqlType: string;
  /** What the wire carries for it. */
  readonly valueKind: ValueKind;
  readonly nullable: boolean;
  readonly default: ColumnDefault;
  readonly autoIncrement: boolean;
  readonly generated: 'virtual' | 'stored' | null;
  readonly invisible: boolean;
  readonly unsigned: boolean;
  /** Characters for text, bytes for binary. */
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** Fractional digits of TIME, DATETIME, TIMESTAMP. */
  readonly fraction: number | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /** Labels of ENUM and SET, in order. */
  readonly labels: readonly string[] | null;
  readonly onUpdateNow: boolean;
  readonly comment: string;
  /** From the column's name or its `@format` tag; see `findFormat`. */
  readonly format: ColumnFormat | null;
  /** The column's line in SHOW CREATE TABLE, behind its name. */
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
  /** The line in SHOW CREATE TABLE; empty for PRIMARY of a view-less table where it is spelled inline. */
  readonly definition: string;
}

export interface IndexColumn {
  /** Null for a functional key part. */
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

/** A road from one table to another that `include`, dotted filters and dotted sorts may take. */
export interface Relationship {
  readonly name: string;
  readonly kind: 'to_one' | 'to_many' | 'many_to_many';
  /** The far table. */
  readonly table: string;
  /** Columns of the near table that take part, in the order of `farColumns` (or of `link.nearColumns`). */
  readonly nearColumns: readonly string[];
  /** Columns of the far table that take part. */
  readonly farColumns: readonly string[];
  /** The foreign keys it stands on: one, or near and far side of the link table. */
  readonly foreignKeys: readonly { readonly table: string; readonly name: string }[];
  /** Set for many_to_many only. */
  readonly link: RelationshipLink | null;
}

export interface RelationshipLink {
  readonly table: string;
  /** Columns of the link table that point at the near table, then those that point at the far one. */
  readonly nearColumns: readonly string[];
  readonly farColumns: readonly string[];
}

/** What a server can do, found once by probing it and stored on its row. Never a version check at a call site. */
export interface EngineCapabilities {
  readonly engine: EngineKind;
  readonly version: string;
  readonly insertReturning: boolean;
  readonly deleteReturning: boolean;
  /** What becomes of a regular expression that takes too many steps: an error, or no match and a warning. */
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
  /** `galera`: several nodes take writes, and DDL runs on all of them at once. Missing: it was probed before this was asked. */
  readonly cluster?: 'none' | 'galera';
  /** What the operator had better set on the server, in sentences. Missing: it was probed before this was asked. */
  readonly advice?: readonly string[];
}

/** The verbs a right or a plan names. */
export type Verb = 'read' | 'write' | 'delete';

/** What a key may do, as the gateway compiles it: null tables means every table, present and future. */
export interface Rights {
  readonly tables: Readonly<Record<string, readonly Verb[]>> | null;
  readonly verbs: readonly Verb[];
  /** Hidden columns by table, the same for every key of a database. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>;
  /** TINYINT(1) columns that are numbers instead of booleans, by table. Left out where there are none. */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>> | undefined;
}
