import type { CompiledColumn, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { Cast, RowValues } from '../plan/plan.js';
import type { ResultSet } from '../response/result-set.js';

/** A value bound to a `?`. Exact values are text. Only FLOAT, DOUBLE and booleans are numbers. */
export type BoundValue = string | number | Uint8Array | null;

/** One prepared statement. Its text depends on the shape of the request only, never on values. */
export interface Statement {
  readonly role: StatementRole;
  readonly sql: string;
  readonly params: readonly BoundValue[];
  /** Null if no rows are expected (INSERT, UPDATE or DELETE without RETURNING). */
  readonly shape: ResultShape | null;
  /** The table that errors refer to, if it is not the request's own table. */
  readonly table?: CompiledTable;
  /** The rows of an INSERT of several rows, so that an error can name one of them. */
  readonly inserts?: InsertedRows;
  /** For a nested write: the location in the body of each row of `inserts`, or of the only record. */
  readonly locs?: readonly (readonly (string | number)[])[];
  /**
   * Whether this is a read of few rows by their key outside transactions. It is short, so it may use a
   * pipelined connection on which other statements are queued.
   */
  readonly isShort?: boolean;
  /**
   * Whether this is a read outside transactions that returns few rows, but may examine many. It may use a
   * pipelined connection if it is known to be fast.
   */
  readonly mayBeShort?: boolean;
  /**
   * Set if all records of this table that belong to the parents are counted. The server examines each of
   * them, however few rows it returns.
   */
  readonly counted?: CompiledTable;
  /** For a read of one record by a single integer key: how to combine several reads into one. */
  readonly point?: PointRead | null;
}

/** The rows of an INSERT. `from` is the index of the first among all rows of the request. */
export interface InsertedRows {
  readonly table: CompiledTable;
  readonly rows: readonly RowValues[];
  readonly from: number;
}

export interface PointRead {
  /** The index of the key among the columns of the shape. */
  readonly at: number;
  /** Returns the statement for `count` keys. */
  readonly sqlOf: (count: number) => string;
}

export type StatementRole =
  /** Records of the request itself. */
  | { readonly kind: 'records' }
  /** Rows that were just written, for use by later statements. */
  | { readonly kind: 'written' }
  /**
   * Related records. `path` is the include as written in the plan, such as `comments.user`. Parents are read
   * in chunks. If there are more rows than `rowsMax`, the result is incomplete and another one of the same
   * chunk follows.
   */
  | {
      readonly kind: 'include';
      readonly path: string;
      readonly chunk: number;
      readonly rowsMax: number | null;
    }
  | { readonly kind: 'count' }
  /** The server's plan for another statement. */
  | { readonly kind: 'explain'; readonly of: Statement }
  /** The rows that the next write changes, locked until the transaction ends. */
  | { readonly kind: 'lock' }
  /** Key defaults evaluated before an INSERT. `row` is the row of the body. */
  | { readonly kind: 'defaults'; readonly row: number }
  /** A write that returns no rows. `row` is the index of its first row in the body. */
  | { readonly kind: 'write'; readonly row: number };

/** The columns of a result in order. Its identity is the cache key of the writer compiled for it. */
export interface ResultShape {
  readonly columns: readonly ShapeColumn[];
  /** The positions of the cells retained in addition to the JSON, for `ResultSet.keyCell`. */
  readonly keys: readonly number[];
}

export interface ShapeColumn {
  /** The name of the member in the record. */
  readonly name: string;
  readonly kind: ValueKind;
  /** Whether the column is part of the record. If not, it is only fetched as a key. */
  readonly isOutput: boolean;
  /** Null for computed cells (counts). Executors compare it with the column definitions of a result. */
  readonly column: CompiledColumn | null;
  /** The number of fractional digits of a temporal cell without a column. */
  readonly fraction?: number;
  /** The type to which values are cast when they are written. */
  readonly cast?: Cast;
  /** For an integer without a column: whether doubles cannot represent all of its values. */
  readonly isWide?: boolean;
}

/** Statements that may be sent together. */
export interface StatementRound {
  readonly statements: readonly Statement[];
  /**
   * Whether the statements run on one connection and in this order, each only if the previous ones succeeded.
   */
  readonly isOrdered: boolean;
}

/**
 * The database work of a plan. Run `first`, and then call `next` with the results of all rounds so far, in
 * order, until it returns null. In a transaction, all rounds use one connection, and COMMIT or ROLLBACK
 * follows the last.
 */
export interface StatementProgram {
  readonly transaction: 'none' | 'commit' | 'rollback';
  readonly first: StatementRound;
  next(results: readonly ResultSet[]): StatementRound | null;
}
