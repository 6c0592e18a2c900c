import type { CompiledColumn, CompiledTable, Steps, ValueKind } from '@rowhouse/schema-model';
import type { Cast, RowValues } from '../plan/plan-parts.js';
import type { BoundValue, Cell } from '../values/cell.js';

/** The outcome of one statement: rows already written as JSON, and the retained cells that serve as keys. */
export interface ResultSet {
  readonly statement: Statement;
  readonly rowCount: number;
  /**
   * Whether large rows are not yet written. Complete `lateSteps` before you use anything except `rowCount`.
   */
  readonly isLate?: boolean;
  /** Writes the large rows, one slice in each step. Returns null if no large rows are waiting. */
  lateSteps?(): Steps<void> | null;
  /**
   * The number of rows matched by an UPDATE (CLIENT_FOUND_ROWS), removed by a DELETE or written by an INSERT.
   */
  readonly affectedRows: number;
  /** The id as decimal digits, or null if none was assigned. */
  readonly insertId: string | null;
  /** The size of the records in UTF-8 bytes. Absent if the result has no bytes. */
  byteLength?(): number;
  /** Returns the members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /** Returns a retained cell. `keyIndex` is an index into `shape.keys`. */
  keyCell(row: number, keyIndex: number): Cell;
  /** Returns `[{…},{…}]` with the first `rows` records. */
  arrayText(rows: number): string | Uint8Array;
  /**
   * Returns the array with more members in each record. `addMembers` writes at least one member, as
   * `"name":value`.
   */
  arrayTextWith(rows: number, addMembers: (row: number, to: TextSink) => void): string | Uint8Array;
  /**
   * Returns `[{…},{…}]` with all records of this result, which has at least one, and of `others`. Afterwards
   * only the key cells of these results may be used.
   */
  arrayTextAnd(others: readonly ResultSet[]): string | Uint8Array;
  /**
   * Returns `{…},{…}` with `count` records from `from`, as UTF-8 bytes. Returns null if the result has no
   * bytes. The caller must not retain them.
   */
  recordBytes(from: number, count: number): Uint8Array | null;
  /** Frees the result, so that its memory can be reused. */
  release(): void;
}

/**
 * Receives the rows of one statement and returns the ResultSet. `createRowSink` creates the default sink,
 * which takes cells. An executor that converts packets to bytes provides its own.
 */
export interface RowSink {
  row(cells: readonly Cell[]): void;
  end(outcome: StatementOutcome): ResultSet;
}

export interface StatementOutcome {
  readonly affectedRows: number;
  readonly insertId: string | null;
}

export interface RowSinkOptions {
  readonly numbers: 'json' | 'string';
  /** The maximum JSON text of one result in UTF-16 units. A larger result throws `limit.response_size`. */
  readonly textMax: number;
}

/** Receives the parts of a JSON response in order. */
export interface TextSink {
  text(text: string): void;
  /**
   * Writes `{…},{…}` with `count` existing records of `result` from `from`. Returns their length in bytes or
   * UTF-16 units.
   */
  records(result: ResultSet, from: number, count: number): number;
}

/** One prepared statement. Its text depends on the shape of the request only, never on values. */
export interface Statement {
  readonly role: StatementRole;
  readonly sql: string;
  readonly params: readonly BoundValue[];
  /**
   * The shape of the rows. Null if the statement returns no rows: INSERT, UPDATE or DELETE without RETURNING.
   */
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
   * The table whose records are counted for each parent, if there is one. The server examines every related
   * record, however few rows it returns.
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

/** A statement that can read several records by their keys. `libs/mysql` has the same type. */
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
