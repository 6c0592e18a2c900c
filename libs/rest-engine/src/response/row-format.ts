import type { ResultShape, ShapeColumn } from '../sql/statement.js';
import { needsQuotes } from './quote-wide-numbers.js';
import { isWideNumber, isZerofill, makeValueWriter, type ValueWriter } from './value-writer.js';

/**
 * The text format of a shape's rows, for executors that convert the wire's bytes themselves. Each column has
 * a fast format for the expected wire type, and `write`, which is correct for every value.
 */
export interface RowFormat extends Pick<ResultShape, 'keys'> {
  readonly frame: RowFrame;
  /** The columns in the order of the result. */
  readonly columns: readonly FormatColumn[];
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

export const JSON_FRAME: RowFrame = { open: '{', close: '}', ofNull: 'null', isNamed: true, isCsv: false };
const ARRAY_FRAME: RowFrame = { open: '[', close: ']', ofNull: 'null', isNamed: false, isCsv: false };

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

export interface FormatColumn extends Pick<ShapeColumn, 'name' | 'isOutput'> {
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
  readonly write: ValueWriter;
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

const known = { json: new WeakMap<ResultShape, RowFormat>(), string: new WeakMap<ResultShape, RowFormat>() };

/** Returns the format of a shape. It is created once, because compiled writers are cached by its identity. */
export function rowFormatOf(shape: ResultShape, numbers: 'json' | 'string'): RowFormat {
  let format = known[numbers].get(shape);
  if (format === undefined)
    known[numbers].set(
      shape,
      (format = {
        frame: JSON_FRAME,
        columns: shape.columns.map((column) => toFormatColumn(column, numbers)),
        keys: shape.keys,
      }),
    );
  return format;
}

const knownArrays = {
  json: new WeakMap<ResultShape, RowFormat>(),
  string: new WeakMap<ResultShape, RowFormat>(),
};

/** Returns the format with each row as an array of its values. */
export function arrayFormatOf(shape: ResultShape, numbers: 'json' | 'string'): RowFormat {
  let format = knownArrays[numbers].get(shape);
  if (format === undefined)
    knownArrays[numbers].set(shape, (format = { ...rowFormatOf(shape, numbers), frame: ARRAY_FRAME }));
  return format;
}

function toFormatColumn(column: ShapeColumn, numbers: 'json' | 'string'): FormatColumn {
  const isExactJson = numbers === 'string' && column.kind === 'json' && column.cast === undefined;
  return {
    name: column.name,
    isOutput: column.isOutput,
    way: isExactJson ? 'cell' : findMethod(column),
    long: isExactJson ? 'exact_json' : findLongForm(column),
    needsQuotes,
    isQuoted: numbers === 'string' && column.cast === undefined && isWideNumber(column),
    fraction: column.column?.fraction ?? column.fraction ?? 0,
    write: makeValueWriter(column, numbers),
  };
}

/** Returns how an executor writes a column in JSON. */
export function findMethod(column: ShapeColumn): ValueFormat {
  if (column.cast !== undefined) return 'cell';
  switch (column.kind) {
    case 'integer':
    case 'year':
      return 'integer';
    case 'decimal':
      return isZerofill(column) ? 'cell' : 'digits';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'day';
    case 'datetime':
      return 'moment';
    case 'timestamp':
      return 'moment_utc';
    case 'json':
      return 'json';
    case 'binary':
      return 'base64';
    case 'string':
    case 'enum':
    case 'uuid':
    case 'inet':
      return 'text';
    case 'float':
    case 'double':
    case 'bit':
    case 'set':
    case 'time':
    case 'geometry':
    case 'vector':
      return 'cell';
  }
}

function findLongForm({ kind, cast }: ShapeColumn): LongForm | null {
  if (cast !== undefined) return null;
  switch (kind) {
    case 'string':
    case 'enum':
    case 'uuid':
    case 'inet':
      return 'text';
    case 'json':
    case 'geometry':
      return 'json';
    case 'binary':
      return 'base64';
    default:
      return null;
  }
}
