import type { Steps } from '@rowhouse/schema-model';
import type { Statement } from '../sql/statement.js';
import type { TextSink } from './text-sink.js';

/**
 * A value as the driver returns it. Temporal types, DECIMAL, BIGINT and JSON are text. Binary and BIT are
 * bytes, and VECTOR is an array of numbers.
 */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null;

/** The outcome of one statement: rows already written as JSON, and the retained cells that serve as keys. */
export interface ResultSet {
  readonly statement: Statement;
  readonly rowCount: number;
  /**
   * Whether large rows are not yet written. Complete `lateSteps` before you use anything except `rowCount`.
   */
  readonly isLate?: boolean;
  /** Writes the large rows, one slice in each step. Null if no large rows are waiting. */
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
