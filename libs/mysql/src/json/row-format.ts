import type { DbValue } from '../types.js';

/**
 * The text format of the rows of one statement. The caller compiles it once, because row writers are cached by
 * its identity. Each column has a fast format for the expected wire type, and `write`, which is correct for
 * every value.
 */
export interface RowFormat {
  readonly frame: RowFrame;
  /** The columns in the order of the result. */
  readonly columns: readonly FormatColumn[];
  /** The positions of the cells that are returned in addition to the text. */
  readonly keys: readonly number[];
}

/** The text around the values of a row. The values themselves are separated by commas. */
export interface RowFrame {
  readonly open: string;
  readonly close: string;
  readonly ofNull: string;
  /** Whether the name of the column precedes each value. */
  readonly isNamed: boolean;
  /** Whether values are CSV fields instead of JSON. */
  readonly isCsv: boolean;
}

export interface FormatColumn {
  /** The name of the member in the record. */
  readonly name: string;
  /** Whether the value is part of the text. */
  readonly isOutput: boolean;
  /**
   * How the value is converted from its binary form, written as text, digits, stored JSON, base64 or a CSV
   * field, or, with `cell`, passed to `write`.
   */
  readonly way:
    | 'integer'
    | 'boolean'
    | 'day'
    | 'moment'
    | 'moment_utc'
    | 'text'
    | 'digits'
    | 'json'
    | 'base64'
    | 'field'
    | 'harmless_field'
    | 'cell';
  /** Whether numbers are written as strings. `write` already does so. */
  readonly isQuoted: boolean;
  /** Returns whether a number inside stored JSON is written as a string in the `exact_…` forms. */
  readonly needsQuotes: (number: string) => boolean;
  /** The number of fractional digits of a date and time. */
  readonly fraction: number;
  /** Null if the column's values are never large. */
  readonly long: LongForm | null;
  /** Writes any value except NULL. This is the slow path, whose output the fast formats must match. */
  write(value: NonNullable<DbValue>): string;
}

/** How a value of any size is written in slices, whatever its wire type. */
export type LongForm =
  | 'text'
  | 'json'
  | 'json_line'
  | 'exact_json'
  | 'exact_json_line'
  | 'base64'
  | 'field'
  | 'harmless_field'
  | 'json_field'
  | 'base64_field';

/** Returns the end of a line from the retained cells of its row. */
export type LineTail = (keys: readonly DbValue[]) => string;

/** Records of another result that are embedded in a response. */
export interface EmbeddedRecords {
  readonly rowCount: number;
  /** Returns the members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /**
   * Returns `{…},{…}` with `count` records from `from` as UTF-8 bytes, or null if the result has no bytes. They
   * must not be retained.
   */
  recordBytes(from: number, count: number): Uint8Array | null;
  release(): void;
}

/** Receives the parts of a JSON response in order. */
export interface JsonSink {
  text(text: string): void;
  /** Writes `count` records of `result` from `from`, and returns their length in bytes. */
  records(result: EmbeddedRecords, from: number, count: number): number;
}
