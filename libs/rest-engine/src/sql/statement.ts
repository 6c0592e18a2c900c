import type { CompiledColumn, CompiledTable, Steps, ValueKind } from '@rowhouse/schema-model';
import type { Cast, RowValues } from '../plan/plan-parts.js';
import type { BoundValue, Cell } from '../values/cell.js';

/**
 * The result of one statement: its rows, already written as JSON, and the cells that are retained as keys.
 */
export interface ResultSet {
  readonly statement: Statement;
  readonly rowCount: number;
  /**
   * Whether large rows are not written as JSON yet. Until `lateSteps` has completed, only `rowCount` may be
   * used.
   */
  readonly isLate?: boolean;
  /** Writes the large rows as JSON, one slice in each step. Returns null if no rows remain to be written. */
  lateSteps?(): Steps<void> | null;
  /** The number of rows that an UPDATE matched (CLIENT_FOUND_ROWS), a DELETE removed or an INSERT wrote. */
  readonly affectedRows: number;
  /** The generated auto-increment value as decimal digits. Null if the statement generated none. */
  readonly insertId: string | null;
  /** The size of the records in UTF-8 bytes. Absent if the result is not stored as bytes. */
  byteLength?(): number;
  /** Returns the members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /** Returns a retained cell of a row. `keyIndex` is an index into `shape.keys`. */
  keyCell(row: number, keyIndex: number): Cell;
  /** Returns the first `rows` records as a JSON array `[{…},{…}]`. */
  arrayText(rows: number): string | Uint8Array;
  /**
   * Returns the first `rows` records as a JSON array, with additional members in each. `addMembers` writes at
   * least one member, as `"name":value`.
   */
  arrayTextWith(rows: number, addMembers: (row: number, to: TextSink) => void): string | Uint8Array;
  /**
   * Returns all records of this result and of `others` as one JSON array. This result has at least one
   * record. After the call, only the key cells of these results may be used.
   */
  arrayTextAnd(others: readonly ResultSet[]): string | Uint8Array;
  /**
   * Returns `count` records beginning at `from` as `{…},{…}` in UTF-8 bytes. Returns null if the result is
   * not stored as bytes. The caller must not retain the bytes, because they belong to the result.
   */
  recordBytes(from: number, count: number): Uint8Array | null;
  /** Frees the result, so that other results can use its memory. */
  release(): void;
}

/**
 * Receives the rows of one statement and returns them as a ResultSet. `createRowSink` creates the default
 * sink, which receives cells. An executor that converts network packets to bytes directly provides a sink of
 * its own.
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
  /**
   * The maximum length of one result's JSON text in UTF-16 units. For a larger result, `row` throws
   * `limit.response_size`.
   */
  readonly textMax: number;
}

/** Receives the parts of a JSON response in order. */
export interface TextSink {
  text(text: string): void;
  /**
   * Writes `count` existing records of `result` as `{…},{…}`, beginning at `from`. Returns the length of the
   * written text in bytes or UTF-16 units.
   */
  records(result: ResultSet, from: number, count: number): number;
}

/** One prepared statement. Its SQL text depends only on the form of the request, never on values. */
export interface Statement {
  readonly role: StatementRole;
  readonly sql: string;
  readonly params: readonly BoundValue[];
  /**
   * The columns of the returned rows. Null for an INSERT, UPDATE or DELETE without RETURNING, which returns
   * no rows.
   */
  readonly shape: ResultShape | null;
  /** The table to which errors refer, if it is not the table of the request. */
  readonly table?: CompiledTable;
  /** The rows of an INSERT with several rows. An error message names the row that caused it. */
  readonly inserts?: InsertedRows;
  /** For a nested write: the location in the body of each row of `inserts`, or of the only record. */
  readonly locs?: readonly (readonly (string | number)[])[];
  /**
   * Whether the statement reads a few rows by their key outside transactions. It is short, so it may use a
   * pipelined connection on which other statements wait.
   */
  readonly isShort?: boolean;
  /**
   * Whether the statement reads outside transactions and returns few rows, but may examine many. It may use a
   * pipelined connection if previous executions were fast.
   */
  readonly mayBeShort?: boolean;
  /**
   * The table whose records are counted for each parent. The server examines every related record, although
   * it returns only one row for each parent. Absent if nothing is counted.
   */
  readonly counted?: CompiledTable;
  /**
   * How several reads of one record by a single integer key are combined into one statement. Absent or null
   * if the statement is not such a read.
   */
  readonly point?: PointRead | null;
}

/** The rows of an INSERT. `from` is the index of the first row among all rows of the request. */
export interface InsertedRows {
  readonly table: CompiledTable;
  readonly rows: readonly RowValues[];
  readonly from: number;
}

/** How a statement can read several records by their keys. `libs/mysql` defines the same type. */
export interface PointRead {
  /** The index of the key column among the columns of the shape. */
  readonly at: number;
  /** Returns the SQL text that reads `count` keys. */
  readonly sqlOf: (count: number) => string;
}

export type StatementRole =
  /** The records that the request asks for. */
  | { readonly kind: 'records' }
  /** Rows that were just written, which later statements need. */
  | { readonly kind: 'written' }
  /**
   * Related records. `path` is the include as written in the plan, such as `comments.user`. Parents are read
   * in chunks. If a chunk has more rows than `rowsMax`, the result is incomplete, and a later result replaces
   * it.
   */
  | {
      readonly kind: 'include';
      readonly path: string;
      readonly chunk: number;
      readonly rowsMax: number | null;
    }
  | { readonly kind: 'count' }
  /** The server's query plan for the statement `of`. */
  | { readonly kind: 'explain'; readonly of: Statement }
  /** The rows that the next write changes. They are locked until the transaction ends. */
  | { readonly kind: 'lock' }
  /**
   * The default values of key columns, evaluated before an INSERT. `row` is the index of the row in the body.
   */
  | { readonly kind: 'defaults'; readonly row: number }
  /** A write that returns no rows. `row` is the index of its first row in the body. */
  | { readonly kind: 'write'; readonly row: number };

/** The columns of a result, in order. Compiled writers are cached by the identity of this object. */
export interface ResultShape {
  readonly columns: readonly ShapeColumn[];
  /** The positions of cells that are retained in addition to the JSON. `ResultSet.keyCell` returns them. */
  readonly keys: readonly number[];
}

export interface ShapeColumn {
  /** The name of the member in the JSON record. */
  readonly name: string;
  readonly kind: ValueKind;
  /** Whether the column is a member of the record. Otherwise, it is only read as a key. */
  readonly isOutput: boolean;
  /**
   * The table's column. Null for computed values such as counts. Executors compare it with the column
   * definitions of a result.
   */
  readonly column: CompiledColumn | null;
  /** For a date or time without a column: the number of fractional digits. */
  readonly fraction?: number;
  /** The type to which each value is cast when it is written. */
  readonly cast?: Cast;
  /** For an integer without a column: whether doubles cannot represent all of its values. */
  readonly isWide?: boolean;
}

/** Statements that may be sent to the server together. */
export interface StatementRound {
  readonly statements: readonly Statement[];
  /**
   * Whether the statements must run in this order on one connection, each only if the previous ones
   * succeeded.
   */
  readonly isOrdered: boolean;
}

/**
 * All statements of a plan. Run `first`, and then call `next` with the results of all rounds so far, in
 * order, until it returns null. In a transaction, all rounds use one connection, and the last is followed by
 * COMMIT or ROLLBACK.
 */
export interface StatementProgram {
  readonly transaction: 'none' | 'commit' | 'rollback';
  readonly first: StatementRound;
  next(results: readonly ResultSet[]): StatementRound | null;
}
