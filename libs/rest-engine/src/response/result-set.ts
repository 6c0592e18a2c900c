import type { Statement } from '../sql/statement.js';

/** What a driver gives for one value: DATE and the like, DECIMAL, BIGINT and JSON as text; binary and BIT as bytes; VECTOR as numbers. */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null;

/** What became of one statement: rows already written as JSON, and the cells that are needed as keys. */
export interface ResultSet {
  readonly statement: Statement;
  readonly rowCount: number;
  /** Rows matched by an UPDATE (CLIENT_FOUND_ROWS), removed by a DELETE, written by an INSERT. */
  readonly affectedRows: number;
  /** As decimal digits; null when none was assigned. */
  readonly insertId: string | null;
  /** Members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /** `keyIndex` counts in `shape.keys`. */
  keyCell(row: number, keyIndex: number): Cell;
  /** `[{…},{…}]` of the first `rows` records. */
  arrayText(rows: number): string | Uint8Array;
  /** The same, each record with a member more (`"name":value`, in ASCII). */
  arrayTextWith(rows: number, memberOf: (row: number) => string): string | Uint8Array;
}

/**
 * Takes the rows of one statement as they come and gives the ResultSet. `createRowSink` makes the stock one, which
 * takes cells; an executor that turns packets into bytes brings its own and only has to give a ResultSet.
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
  /** JSON text of one result above this (in UTF-16 units) is refused with `limit.response_size`. */
  readonly textMax: number;
}
