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
 * `plain` comments are removed. A server may run the text of `executable` (`/*!`), `mariadb_executable`
 * (`/*M!`) and `hint` (`/*+`).
 */
export type CommentKind = 'plain' | 'executable' | 'mariadb_executable' | 'hint';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** The original text, including quotes. */
  readonly text: string;
  /**
   * The value by kind. `word`: upper case. `quoted`: the name without backquotes. `string`: the content with
   * escapes resolved. `parameter`: `?` or the name after the colon. Otherwise: the text.
   */
  readonly value: string;
  /** Offsets in UTF-16 code units. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Both start at 1. Columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly comment: CommentKind | null;
}

export interface LexBounds {
  readonly bytesMax: number;
  readonly depthMax: number;
  readonly tokensMax: number;
}

/** A bound value. Its type on the wire follows from it without a guess. */
export type QueryValue = string | number | bigint | boolean | ExactDecimal | null;

/** The `params` of a request: a list for `?`, an object for `:name`. */
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface GuardOptions {
  /** The exact names of tables and views that the key may read. */
  readonly tables: readonly string[];
  /**
   * Every other table and view of the database. A text must not name them (ignoring case), and errors must
   * not reveal them.
   */
  readonly hiddenNames: readonly string[];
  /** The only allowed qualifier. */
  readonly schemaName: string;
  /** The visible columns of tables with hidden columns. `*` is expanded to them. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  readonly params?: QueryParams | undefined;
  /** For engines that do not check grouped queries: returns the base table, or null for anything else. */
  readonly groupingTables?: (name: string) => GroupingTable | null;
  /**
   * The tables that the text may write. `forbidden`: the key lacks the scope, and the error names it.
   * `unsupported`, the default: no text may write here.
   */
  readonly writes?: 'unsupported' | 'forbidden' | WriteRights;
}

/** A base table for the check of grouped queries. All names are folded. */
export interface GroupingTable {
  readonly columns: ReadonlySet<string>;
  /** The columns of each unique key. */
  readonly keys: readonly (readonly string[])[];
  readonly generated: readonly string[];
}

/** The write rights of a key with `query:write`. */
export interface WriteRights {
  /** The tables it may insert into and update. */
  readonly writable: readonly string[];
  readonly deletable: readonly string[];
  /** Whether INSERT and DELETE support RETURNING. */
  readonly hasReturning: boolean;
}

/** A checked text that may be sent to the server. */
export interface GuardedRead {
  /** `explain`: the text starts with EXPLAIN, or with DESCRIBE in the same sense. */
  readonly kind: 'select' | 'explain';
  /** The original text. */
  readonly text: string;
  /**
   * The text for people: `?` for every parameter, column names for a `*` with hidden columns, without
   * comments and the final `;`.
   */
  readonly sql: string;
  /** The text for the server. Names that equal hidden tables are replaced. */
  readonly runSql: string;
  /** Maps the replacements in `runSql` to the original names. */
  readonly substitutions: ReadonlyMap<string, string>;
  /** The bound values, in the order of the `?` in `runSql`. */
  readonly params: readonly QueryValue[];
  /** The tables and views that the text reads, sorted and without repetitions. */
  readonly tables: readonly string[];
  /** The text with `?` for each literal. Equal for texts that only differ in literals and white space. */
  readonly shape: string;
  /** Tables and views by their alias in `runSql`. An alias with several meanings is omitted. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A checked write for a key that may write. */
export interface GuardedWrite extends Omit<GuardedRead, 'kind'> {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly targets: readonly string[];
  /** Whether it has RETURNING. */
  readonly hasRows: boolean;
}

export type GuardedQuery =
  | GuardedRead
  | GuardedWrite
  /** `like` is a LIKE pattern for table names, or null. The answer comes from the snapshot. */
  | { readonly kind: 'show_tables'; readonly like: string | null }
  /** The answer comes from the snapshot. `column` restricts it to one column. */
  | { readonly kind: 'describe'; readonly table: string; readonly column: string | null };

export interface RouteTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The schema as the key may see it. */
export interface RouteSchema {
  readonly tables: readonly RouteTable[];
}

export type QueryRoute =
  /** Normalized text for `guardQuery`. */
  | { readonly kind: 'sql'; readonly sql: string }
  | { readonly kind: 'question'; readonly question: string }
  /** Neither SQL nor a question: an empty text, or invalid SQL (`query.invalid_sql` with line and column). */
  | { readonly kind: 'invalid'; readonly error: AppError };

/**
 * The server whose executable comments are unwrapped. `version` is as the server reports it
 * (`10.11.19-MariaDB`, `8.0.36`).
 */
export interface SplitOptions {
  readonly engine: EngineKind;
  readonly version: string;
}

export interface SqlStatement {
  /** Comments are replaced by blanks with the same line breaks. The delimiter is removed. */
  readonly sql: string;
  /** The first and last line of the statement in the whole text, starting at 1. */
  readonly line: number;
  readonly lineEnd: number;
}

export type DdlObject = 'table' | 'index' | 'view' | 'trigger' | 'procedure' | 'function';
export type DdlVerb = 'create' | 'alter' | 'drop' | 'rename';

export type DdlClass =
  | {
      readonly kind: 'allowed';
      /** The text without DEFINER, otherwise as written. */
      readonly sql: string;
      readonly verb: DdlVerb;
      readonly object: DdlObject;
      /** The name of the (first) object. */
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
