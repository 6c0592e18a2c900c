import type { AppError } from '@rowhouse/errors';
import type { EngineKind } from '@rowhouse/schema-model';
import type { ExactDecimal } from './lexer/exact-decimal.js';

export type SqlTokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'number'
  | 'parameter'
  | 'variable'
  | 'operator'
  | 'comment';

/**
 * The kind of a comment. A `plain` comment is removed. The text in `executable` (`/*!`), `mariadb_executable`
 * (`/*M!`) and `hint` (`/*+`) comments may be executed by a server.
 */
export type CommentKind = 'plain' | 'executable' | 'mariadb_executable' | 'hint';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** The text of the token as it is written, including quotes. */
  readonly text: string;
  /**
   * The value of the token, which depends on its kind. `word`: the word in upper case. `quoted`: the name
   * without backquotes. `string`: the content with escapes resolved. `parameter`: `?`, or the name after the
   * colon. Otherwise, it is the text.
   */
  readonly value: string;
  /** The offset of the token in UTF-16 code units. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The position of the token. Both numbers begin with 1. Columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly comment: CommentKind | null;
}

export interface LexBounds {
  readonly bytesMax: number;
  readonly depthMax: number;
  readonly tokensMax: number;
}

/** A value that is bound to a parameter. Its JavaScript type determines the type that the server receives. */
export type QueryValue = string | number | bigint | boolean | ExactDecimal | null;

/** The `params` of a request: a list of values for `?`, or an object of values for `:name`. */
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface GuardOptions {
  /** The names of the tables and views that the API key may read. */
  readonly tables: readonly string[];
  /**
   * All other tables and views of the database. A text must not name them in any case, and errors must not
   * reveal them.
   */
  readonly hiddenNames: readonly string[];
  /** The name of the database's schema, which is the only qualifier allowed for tables. */
  readonly schemaName: string;
  /** For tables with hidden columns: the names of their visible columns. `*` is expanded to them. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  readonly params?: QueryParams | undefined;
  /**
   * For engines that do not check GROUP BY themselves: returns the base table with this name. Returns null
   * for any other name.
   */
  readonly groupingTables?: (name: string) => GroupingTable | null;
  /**
   * The tables that the text may write. `forbidden`: the API key lacks the scope, which the error names.
   * `unsupported`: no text may write here. This is the default.
   */
  readonly writes?: 'unsupported' | 'forbidden' | WriteRights;
}

/** A base table for the check of GROUP BY. All names are folded. */
export interface GroupingTable {
  readonly columns: ReadonlySet<string>;
  /** The columns of each unique key. */
  readonly keys: readonly (readonly string[])[];
  readonly generated: readonly string[];
}

/** The write rights of an API key with the scope `query:write`. */
export interface WriteRights {
  /** The tables into which the key may insert rows, and whose rows it may update. */
  readonly writable: readonly string[];
  readonly deletable: readonly string[];
  /** Whether the server supports RETURNING for INSERT and DELETE. */
  readonly hasReturning: boolean;
}

/** A text that passed the checks and may be sent to the server. */
export interface GuardedRead {
  /** `explain` means that the text begins with EXPLAIN, or with DESCRIBE as a synonym of EXPLAIN. */
  readonly kind: 'select' | 'explain';
  /** The text as the client sent it. */
  readonly text: string;
  /**
   * The text to show to people. Every parameter is `?`, and a `*` with hidden columns is replaced by column
   * names. Comments and a semicolon at the end are removed.
   */
  readonly sql: string;
  /** The text to send to the server. Names in it that equal hidden tables are replaced. */
  readonly runSql: string;
  /** The original name for each replacement in `runSql`. */
  readonly substitutions: ReadonlyMap<string, string>;
  /** The values to bind, in the order of the `?` in `runSql`. */
  readonly params: readonly QueryValue[];
  /** The names of the tables and views that the text reads, sorted and without duplicates. */
  readonly tables: readonly string[];
  /**
   * The text with `?` in place of each literal. It is equal for texts that differ only in literals and white
   * space.
   */
  readonly shape: string;
  /** The tables and views by their aliases in `runSql`. An alias with several meanings is omitted. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A write that passed the checks, for an API key that may write. */
export interface GuardedWrite extends Omit<GuardedRead, 'kind'> {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly targets: readonly string[];
  /** Whether the statement has a RETURNING clause, so that it returns rows. */
  readonly hasRows: boolean;
}

export type GuardedQuery =
  | GuardedRead
  | GuardedWrite
  /**
   * SHOW TABLES. `like` is a LIKE pattern for table names, or null. The gateway answers it from the schema
   * snapshot.
   */
  | { readonly kind: 'show_tables'; readonly like: string | null }
  /**
   * SHOW COLUMNS or DESCRIBE. The gateway answers it from the schema snapshot. `column` restricts the result
   * to one column.
   */
  | { readonly kind: 'describe'; readonly table: string; readonly column: string | null };

export interface RouteTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The schema, as far as the API key may see it. */
export interface RouteSchema {
  readonly tables: readonly RouteTable[];
}

export type QueryRoute =
  /** A text that is SQL, normalized for `guardQuery`. */
  | { readonly kind: 'sql'; readonly sql: string }
  | { readonly kind: 'question'; readonly question: string }
  /**
   * A text that is neither valid SQL nor a question: it is empty, or invalid SQL (`query.invalid_sql` with
   * line and column).
   */
  | { readonly kind: 'invalid'; readonly error: AppError };

/**
 * Describes the server whose executable comments are unwrapped. `version` is the version that the server
 * reports, such as `10.11.19-MariaDB` or `8.0.36`.
 */
export interface SplitOptions {
  readonly engine: EngineKind;
  readonly version: string;
}

export interface SqlStatement {
  /**
   * The SQL of the statement without its delimiter. Comments are replaced with white space that has the same
   * line breaks.
   */
  readonly sql: string;
  /** The numbers of the first and the last line of the statement in the whole text, counted from 1. */
  readonly line: number;
  readonly lineEnd: number;
}

export type DdlObject = 'table' | 'index' | 'view' | 'trigger' | 'procedure' | 'function';
export type DdlVerb = 'create' | 'alter' | 'drop' | 'rename';

export type DdlClass =
  | {
      readonly kind: 'allowed';
      /** The text of the statement without its DEFINER clause. */
      readonly sql: string;
      readonly verb: DdlVerb;
      readonly object: DdlObject;
      /** The name of the object, or of the first object if there are several. */
      readonly name: string;
      readonly line: number;
    }
  | { readonly kind: 'ignored'; readonly note: string; readonly line: number }
  | {
      readonly kind: 'refused';
      readonly code: 'schema.invalid_sql' | 'schema.statement_not_allowed';
      readonly detail: string;
      readonly hint: string | undefined;
      readonly line: number;
    };
