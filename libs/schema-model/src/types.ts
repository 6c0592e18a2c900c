/**
 * The immutable description of the deployed schema of one database.
 *
 * A snapshot is plain JSON. It is stored in compressed form under the hash of its content, and sent between
 * processes. Its number is not part of the content, so that equal schemas are stored once.
 */
export interface Snapshot {
  readonly format: 1;
  readonly engine: EngineKind;
  readonly tables: readonly Table[];
  /** The deployed procedures and functions. Absent if the schema has none. */
  readonly routines?: readonly Routine[];
}

export type EngineKind = 'mariadb' | 'mysql';

export interface Table {
  readonly name: string;
  readonly kind: 'table' | 'view';
  /** The published path segment of the table. Once assigned, it does not change. */
  readonly path: string;
  readonly comment: string;
  readonly collation: string | null;
  readonly columns: readonly Column[];
  /** The columns of the primary key, in the order of the key. Null if the table has no primary key. */
  readonly primaryKey: readonly string[] | null;
  /**
   * The columns whose values `{id}` contains. These are the columns of the primary key, or of the unique NOT
   * NULL key with the first name. If null, records can only be listed and created.
   */
  readonly rowKey: readonly string[] | null;
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly CheckConstraint[];
  /**
   * The column that `created_after` is compared with. It is only set if a new table with these columns would
   * use another one. Once assigned, it does not change.
   */
  readonly createdColumn?: string;
  /** The relationships, with the stable names that `nameSnapshot` assigns. */
  readonly relationships: readonly Relationship[];
  /** The CREATE statement of the table or view from SHOW CREATE, without AUTO_INCREMENT=n and DEFINER. */
  readonly createSql: string;
  /**
   * The triggers of the table. Those with the same timing and event are in the order in which the server runs
   * them. Absent if the table has no triggers.
   */
  readonly triggers?: readonly Trigger[];
}

export interface Trigger {
  readonly name: string;
  readonly timing: 'BEFORE' | 'AFTER';
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The CREATE TRIGGER statement, without DEFINER. */
  readonly createSql: string;
}

export interface Routine {
  readonly name: string;
  readonly kind: 'procedure' | 'function';
  /** The CREATE statement of the routine from SHOW CREATE, without DEFINER. */
  readonly createSql: string;
}

export interface Column {
  readonly name: string;
  /**
   * The type without its arguments in lower case, as in `COLUMNS.DATA_TYPE`: `int`, `varchar` or `uuid`, for
   * example.
   */
  readonly type: string;
  /** The complete type as in `COLUMNS.COLUMN_TYPE`, such as `int(10) unsigned` or `enum('a','b')`. */
  readonly sqlType: string;
  /** The kind of the column's values in JSON. */
  readonly valueKind: ValueKind;
  readonly nullable: boolean;
  readonly default: ColumnDefault;
  readonly autoIncrement: boolean;
  readonly generated: 'virtual' | 'stored' | null;
  readonly invisible: boolean;
  readonly unsigned: boolean;
  /** The maximum length: in characters for text, and in bytes for binary values. */
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** The number of fractional digits of a TIME, DATETIME or TIMESTAMP column. */
  readonly fraction: number | null;
  readonly charset: string | null;
  readonly collation: string | null;
  /** The labels of an ENUM or SET column, in order. */
  readonly labels: readonly string[] | null;
  readonly onUpdateNow: boolean;
  readonly comment: string;
  /** The required format of written values, from the column's name or its `@format` tag. See `findFormat`. */
  readonly format: ColumnFormat | null;
  /** The column's line in SHOW CREATE TABLE, without its name. */
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
  /**
   * The index's line in SHOW CREATE TABLE. Empty for a primary key that is part of its column's definition.
   */
  readonly definition: string;
}

export interface IndexColumn {
  /** The name of the column. Null for an expression in a functional index. */
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
 * A path from one table to another. `include`, and filters and sort keys with dots, can follow it. Snapshots
 * store its members with the names given here, which `compile-table.ts` converts to `source` and `target`.
 */
export interface Relationship {
  readonly name: string;
  readonly kind: 'to_one' | 'to_many' | 'many_to_many';
  /** The name of the target table. */
  readonly table: string;
  /**
   * The columns of the source table. Each corresponds to the column at the same position in `farColumns` or,
   * with a link table, in `link.nearColumns`.
   */
  readonly nearColumns: readonly string[];
  /** The columns of the target table. */
  readonly farColumns: readonly string[];
  /**
   * The foreign keys of the relationship. With a link table, these are its foreign keys to the source table
   * and to the target table. Otherwise, there is one.
   */
  readonly foreignKeys: readonly { readonly table: string; readonly name: string }[];
  /** The link table of a many_to_many relationship. Null for other relationships. */
  readonly link: RelationshipLink | null;
}

export interface RelationshipLink {
  readonly table: string;
  /**
   * The columns of the link table that refer to the source table. Those in `farColumns` refer to the target
   * table.
   */
  readonly nearColumns: readonly string[];
  readonly farColumns: readonly string[];
}

/**
 * The capabilities of a database server. They are detected once and stored with the server. Code that needs a
 * capability never checks the server's version.
 */
export interface EngineCapabilities {
  readonly engine: EngineKind;
  readonly version: string;
  readonly insertReturning: boolean;
  readonly deleteReturning: boolean;
  /**
   * The result of a regular expression that exceeds the step limit. `raised` means an error, and `warned`
   * means no match and a warning.
   */
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
   * `galera` means that several nodes accept writes, and that DDL runs on all of them at the same time.
   * Absent if an older version of Rowhouse, which did not check this, detected the capabilities.
   */
  readonly cluster?: 'none' | 'galera';
  /**
   * Sentences that describe settings which the operator should change on the server. Absent if an older
   * version of Rowhouse, which did not check this, detected the capabilities.
   */
  readonly advice?: readonly string[];
}

/** The verbs that rights and plans can contain. */
export type Verb = 'read' | 'write' | 'delete';

/**
 * The permissions of an API key in the form that the gateway uses. If `tables` is null, they apply to every
 * table, including tables that are created later.
 */
export interface Rights {
  readonly tables: Readonly<Record<string, readonly Verb[]>> | null;
  readonly verbs: readonly Verb[];
  /** The hidden columns, by table. They are the same for every API key of a database. */
  readonly hiddenColumns: Readonly<Record<string, readonly string[]>>;
  /** The TINYINT(1) columns that are numbers instead of booleans, by table. Absent if no column is listed. */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>> | undefined;
}
