import type { ResultShape, ShapeColumn } from '../sql/statement.js';
import { isWideNumber, isZerofill, makeValueWriter, type ValueWriter } from './value-writer.js';

/**
 * How the rows of a shape become text, for an executor that turns the wire's bytes into it by itself: each column's
 * short way, for where the wire's type fits, and `write`, which is right for every value.
 */
export interface RowFormat extends Pick<ResultShape, 'keys'> {
  readonly frame: RowFrame;
  /** In the order of the result's columns. */
  readonly columns: readonly FormatColumn[];
}

/** What stands around the values of a row; between them are commas. */
export interface RowFrame {
  readonly open: string;
  readonly close: string;
  readonly ofNull: string;
  /** Each value stands behind its column's name. */
  readonly isNamed: boolean;
  /** Values are fields of CSV instead of JSON. */
  readonly isCsv: boolean;
}

export const JSON_FRAME: RowFrame = { open: '{', close: '}', ofNull: 'null', isNamed: true, isCsv: false };
const ARRAY_FRAME: RowFrame = { open: '[', close: ']', ofNull: 'null', isNamed: false, isCsv: false };

/**
 * How a value of any size is written in slices, whatever the wire has it as: JSON strings, stored JSON, base64, and the same as
 * fields of CSV. `exact_…`: numbers that a double would change are strings.
 */
export type LongForm = 'text' | 'json' | 'json_line' | 'exact_json' | 'exact_json_line' | 'base64' | 'field' | 'harmless_field' | 'json_field' | 'base64_field';

export interface FormatColumn extends Pick<ShapeColumn, 'name' | 'isOutput'> {
  readonly way: FormatWay;
  /** Numbers as strings; `write` does so by itself. */
  readonly isQuoted: boolean;
  /** Digits behind the point of a moment. */
  readonly fraction: number;
  /** Null: its values are never large. */
  readonly long: LongForm | null;
  /** Any value but NULL: the long way, and what the short ones have to agree with. */
  readonly write: ValueWriter;
}

/**
 * - `integer`, `boolean`, `day`, `moment`, `moment_utc`: from the binary form.
 * - `text`: as a JSON string. `digits`: text that is a JSON number. `json`: text that the engine vouches for.
 * - `base64`: bytes.
 * - `field`, `harmless_field`: text as a field of CSV, the latter never what a spreadsheet would run.
 * - `cell`: by `write` alone.
 */
export type FormatWay = 'integer' | 'boolean' | 'day' | 'moment' | 'moment_utc' | 'text' | 'digits' | 'json' | 'base64' | 'field' | 'harmless_field' | 'cell';

const known = { json: new WeakMap<ResultShape, RowFormat>(), string: new WeakMap<ResultShape, RowFormat>() };

/** The format of a shape, made once: its identity is what compiled writers are kept by. */
export function rowFormatOf(shape: ResultShape, numbers: 'json' | 'string'): RowFormat {
  let format = known[numbers].get(shape);
  if (format === undefined) known[numbers].set(shape, (format = { frame: JSON_FRAME, columns: shape.columns.map((column) => toFormatColumn(column, numbers)), keys: shape.keys }));
  return format;
}

const knownArrays = { json: new WeakMap<ResultShape, RowFormat>(), string: new WeakMap<ResultShape, RowFormat>() };

/** The same with each row as an array of its values. */
export function arrayFormatOf(shape: ResultShape, numbers: 'json' | 'string'): RowFormat {
  let format = knownArrays[numbers].get(shape);
  if (format === undefined) knownArrays[numbers].set(shape, (format = { ...rowFormatOf(shape, numbers), frame: ARRAY_FRAME }));
  return format;
}

function toFormatColumn(column: ShapeColumn, numbers: 'json' | 'string'): FormatColumn {
  const isExactJson = numbers === 'string' && column.kind === 'json' && column.cast === undefined;
  return {
    name: column.name,
    isOutput: column.isOutput,
    way: isExactJson ? 'cell' : findWay(column),
    long: isExactJson ? 'exact_json' : findLongForm(column),
    isQuoted: numbers === 'string' && column.cast === undefined && isWideNumber(column),
    fraction: column.column?.fraction ?? column.fraction ?? 0,
    write: makeValueWriter(column, numbers),
  };
}

/** In JSON. */
export function findWay(column: ShapeColumn): FormatWay {
  if (column.cast !== undefined) return 'cell';
  switch (column.kind) {
    case 'integer': case 'year': return 'integer';
    case 'decimal': return isZerofill(column) ? 'cell' : 'digits';
    case 'boolean': return 'boolean';
    case 'date': return 'day';
    case 'datetime': return 'moment';
    case 'timestamp': return 'moment_utc';
    case 'json': return 'json';
    case 'binary': return 'base64';
    case 'string': case 'enum': case 'uuid': case 'inet': return 'text';
    case 'float': case 'double': case 'bit': case 'set': case 'time': case 'geometry': case 'vector': return 'cell';
  }
}

function findLongForm({ kind, cast }: ShapeColumn): LongForm | null {
  if (cast !== undefined) return null;
  switch (kind) {
    case 'string': case 'enum': case 'uuid': case 'inet': return 'text';
    case 'json': case 'geometry': return 'json';
    case 'binary': return 'base64';
    default: return null;
  }
}
