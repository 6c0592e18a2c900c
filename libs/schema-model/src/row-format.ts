/**
 * The text format of the rows of one statement. The planner compiles it, and the driver uses it to write rows
 * directly from the bytes of the MySQL protocol. The same object is reused for equal requests, because row
 * writers are cached by it. Each column has a fast format for its usual wire type, and `write` for all
 * values.
 */
export interface RowFormat {
  readonly frame: RowFrame;
  /** The columns in the order of the result. */
  readonly columns: readonly FormatColumn[];
  /** The positions of columns to return in addition to the text. */
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
  /** Whether the column's value is written into the text. */
  readonly isOutput: boolean;
  readonly way: ValueFormat;
  /** Whether numbers are written as strings. `write` already does so. */
  readonly isQuoted: boolean;
  /** Returns whether a number inside stored JSON is written as a string in the `exact_…` forms. */
  readonly needsQuotes: (number: string) => boolean;
  /** The number of fractional digits of a date and time. */
  readonly fraction: number;
  /** Null if the column's values are never large. */
  readonly long: LongForm | null;
  /** Writes any value except NULL. This is the slow path, whose output the fast formats must match. */
  readonly write: (value: string | number | bigint | Uint8Array | readonly number[]) => string;
}

/**
 * - `integer`, `boolean`, `day`, `moment`, `moment_utc`: converted from the binary form.
 * - `text`: written as a JSON string.
 * - `digits`: text that is a JSON number.
 * - `json`: text that the server has validated.
 * - `base64`: bytes.
 * - `field`, `harmless_field`: text as a CSV field. The latter escapes texts that a spreadsheet would run as
 *   formulas.
 * - `cell`: only written by `write`.
 */
export type ValueFormat =
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

/**
 * How a value of any size is written in slices, whatever its wire type: as a JSON string, stored JSON,
 * base64, or the corresponding CSV field. With `exact_…`, numbers that a double would change are strings.
 */
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
