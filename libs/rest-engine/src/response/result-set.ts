import type { Steps } from '@rowhouse/schema-model';
import type { Statement } from '../sql/statement.js';
import type { TextSink } from './text-sink.js';

/** What a driver gives for one value: DATE and the like, DECIMAL, BIGINT and JSON as text; binary and BIT as bytes; VECTOR as numbers. */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null;

/** What became of one statement: rows already written as JSON, and the cells that are needed as keys. */
export interface ResultSet {
  readonly statement: Statement;
  readonly rowCount: number;
  /** Large rows wait to be written: before anything is asked for but `rowCount`, `lateSteps` has to be done. */
  readonly isLate?: boolean;
  /** Writes them, a slice in each step; null: none waits. */
  lateSteps?(): Steps<void> | null;
  /** Rows matched by an UPDATE (CLIENT_FOUND_ROWS), removed by a DELETE, written by an INSERT. */
  readonly affectedRows: number;
  /** As decimal digits; null when none was assigned. */
  readonly insertId: string | null;
  /** What its records take as bytes of UTF-8; left out: it has none. */
  byteLength?(): number;
  /** Members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /** `keyIndex` counts in `shape.keys`. */
  keyCell(row: number, keyIndex: number): Cell;
  /** `[{…},{…}]` of the first `rows` records. */
  arrayText(rows: number): string | Uint8Array;
  /** The same, each record with members more: `addMembers` writes at least one, as `"name":value`. */
  arrayTextWith(rows: number, addMembers: (row: number, to: TextSink) => void): string | Uint8Array;
  /** `[{…},{…}]` of all its records, of which there is at least one, and behind them all of `others`. None of them may be asked for anything afterwards but cells of keys. */
  arrayTextAnd(others: readonly ResultSet[]): string | Uint8Array;
  /** `{…},{…}`: `count` records from `from` on, as bytes of UTF-8. Null where it has no such bytes. Not to be kept. */
  recordBytes(from: number, count: number): Uint8Array | null;
  /** Nothing of it is wanted any more: its memory may be used again. */
  release(): void;
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
