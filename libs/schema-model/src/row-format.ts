/**
 * The text format of a statement's rows. The planner creates it. The driver uses it to write rows directly
 * from the bytes of the MySQL protocol. Equal requests share the same object, because compiled row writers
 * are cached by it. Each column has a fast format for the type that the server usually sends, and `write` for
 * all other values.
 */
export interface RowFormat {
  readonly frame: RowFrame;
  /** The columns, in the order of the result. */
  readonly columns: readonly FormatColumn[];
  /** The positions of columns whose values are returned in addition to the text. */
  readonly keys: readonly number[];
}

/** The text before and after the values of a row. The values themselves are separated by commas. */
export interface RowFrame {
  readonly open: string;
  readonly close: string;
  readonly ofNull: string;
  /** Whether each value is preceded by the name of its column. */
  readonly isNamed: boolean;
  /** Whether values are written as CSV fields instead of JSON. */
  readonly isCsv: boolean;
}

export interface FormatColumn {
  /** The name of the member in the JSON record. */
  readonly name: string;
  /** Whether the text contains the column's value. */
  readonly isOutput: boolean;
  readonly way: ValueFormat;
  /** Whether the fast formats write numbers as strings. `write` does so by itself. */
  readonly isQuoted: boolean;
  /** Reports whether a number inside stored JSON must be written as a string, for the `exact_…` forms. */
  readonly needsQuotes: (number: string) => boolean;
  /** The number of fractional digits of a date and time. */
  readonly fraction: number;
  /** How large values of the column are written. Null if the column has no large values. */
  readonly long: LongForm | null;
  /** Writes any value except NULL. It is slower than the fast formats, whose output must be the same. */
  readonly write: (value: string | number | bigint | Uint8Array | readonly number[]) => string;
}

/**
 * How the values of a column are written:\n\n- `integer`, `boolean`, `day`, `moment`, `moment_utc`: converted
 * from the binary form of the protocol.
 * - `text`: written as a JSON string.
 * - `digits`: text that is a JSON number.
 * - `json`: JSON text, which the server has already validated.
 * - `base64`: bytes.
 * - `field`, `harmless_field`: text as a CSV field. `harmless_field` escapes texts that a spreadsheet would
 *   run as
 *   formulas.
 * - `cell`: written by `write` only.
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
 * How a value of any size is written in slices: as a JSON string, as stored JSON, as base64, or as a CSV
 * field with one of these contents. The forms `exact_…` write numbers that would change as doubles as
 * strings.
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
