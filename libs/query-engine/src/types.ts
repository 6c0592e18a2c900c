import type { AppError } from '@rowhouse/errors';
import type { EngineKind } from '@rowhouse/schema-model';

export type SqlTokenKind = 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'variable' | 'operator' | 'comment';

/**
 * `plain`: stripped. `executable` (`/*!`), `mariadb_executable` (`/*M!`) and `hint` (`/*+`) are text that a server may run.
 */
export type CommentKind = 'plain' | 'executable' | 'mariadb_executable' | 'hint';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** As it stands in the text, quotes included. */
  readonly text: string;
  /**
   * `word`: upper case. `quoted`: the name without its backquotes. `string`: its content, escapes resolved.
   * `parameter`: `?` or the name behind the colon. Otherwise the text.
   */
  readonly value: string;
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Both count from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly comment: CommentKind | null;
}

export interface LexBounds {
  readonly bytesMax: number;
  readonly depthMax: number;
  readonly tokensMax: number;
}

/** A bound value: what mysql2's `execute` takes without guessing. */
export type QueryValue = string | number | bigint | boolean | null;

/** `params` of the request: a list for `?`, an object for `:name`. */
export type QueryParams = readonly QueryValue[] | Readonly<Record<string, QueryValue>>;

export interface GuardOptions {
  /** Tables and views that the key may read, exact names. */
  readonly tables: readonly string[];
  /** Every other table and view of the database: they must not be named at all (case-blind), nor hinted at. */
  readonly hiddenNames: readonly string[];
  /** The one qualifier that is allowed. */
  readonly schemaName: string;
  /** Of the tables, those with columns that the key may not read, with the ones that it may: `*` stands for these. */
  readonly partial?: ReadonlyMap<string, readonly string[]>;
  readonly params?: QueryParams | undefined;
  /** Where the engine does not refuse columns that depend on nothing grouped: what is known of base tables; null: it is none. */
  readonly groupingTables?: (name: string) => GroupingTable | null;
  /** Null or not there: the text may only read. */
  readonly write?: WriteRights | null;
}

/** A base table as groups see it. All names are folded. */
export interface GroupingTable {
  readonly columns: ReadonlySet<string>;
  /** The columns of each unique key. */
  readonly keys: readonly (readonly string[])[];
  readonly generated: readonly string[];
}

/** What a key with the right to write by SQL may write. */
export interface WriteRights {
  /** Tables it may insert into and update. */
  readonly writable: readonly string[];
  readonly deletable: readonly string[];
  /** INSERT and DELETE give rows back where asked. */
  readonly hasReturning: boolean;
}

/** A text that may go to the server. */
export interface GuardedRead {
  /** `explain`: the text starts with EXPLAIN, or with DESCRIBE in its sense. */
  readonly kind: 'select' | 'explain';
  /** As it was given. */
  readonly text: string;
  /** `?` for every parameter, columns for a `*` that cannot be all of them, no trailing `;`, no comments. For people to see. */
  readonly sql: string;
  /** The same for the server: names that tables out of reach have too are replaced. */
  readonly runSql: string;
  /** What stands in `runSql` for a name of the text. */
  readonly standIns: ReadonlyMap<string, string>;
  /** In the order of the `?`. */
  readonly params: readonly QueryValue[];
  /** Each table or view that the text reads, once, sorted. */
  readonly tables: readonly string[];
  /** Equal for texts that differ in nothing but literals, comments and blanks. */
  readonly shape: string;
  /** Tables and views by what the server is told to call them in FROM; one name that stands for several is left out. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A statement that writes, for a key that may. */
export interface GuardedWrite extends Omit<GuardedRead, 'kind'> {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly targets: readonly string[];
  /** It has RETURNING. */
  readonly hasRows: boolean;
}

export type GuardedQuery =
  | GuardedRead
  | GuardedWrite
  /** `like` is a LIKE pattern over table names, null without one. Answered from the snapshot. */
  | { readonly kind: 'show_tables'; readonly like: string | null }
  /** Answered from the snapshot; `column` narrows it. */
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
  /** Normalised text, for `guardQuery`. */
  | { readonly kind: 'sql'; readonly sql: string }
  | { readonly kind: 'question'; readonly question: string }
  /** Neither: empty, or SQL that cannot be read (`query.invalid_sql` with line and column). */
  | { readonly kind: 'invalid'; readonly error: AppError };

/** Whose executable comments are unwrapped: `version` as the server tells it (`10.11.19-MariaDB`, `8.0.36`). */
export interface SplitOptions {
  readonly engine: EngineKind;
  readonly version: string;
}

export interface SqlStatement {
  /** Comments replaced by blanks with the same line breaks, no delimiter at the end. */
  readonly sql: string;
  /** First and last line of the statement in the whole text, from 1. */
  readonly line: number;
  readonly lineEnd: number;
}

export type DdlObject = 'table' | 'index' | 'view' | 'trigger' | 'procedure' | 'function';
export type DdlVerb = 'create' | 'alter' | 'drop' | 'rename';

export type DdlClass =
  | {
      readonly kind: 'allowed';
      /** DEFINER removed; otherwise as written. */
      readonly sql: string;
      readonly verb: DdlVerb;
      readonly object: DdlObject;
      /** Of the object (of the first where there are several). */
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
