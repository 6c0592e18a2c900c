import type { FormatColumn, LongForm, RowFormat, RowFrame, ValueFormat } from '@rowhouse/schema-model';
import type { ResultShape, ShapeColumn } from '../sql/statement.js';
import { isWideNumber, isZerofill, makeValueWriter, needsQuotes } from '../sql/value-writer.js';

export type { FormatColumn, LongForm, RowFormat, RowFrame, ValueFormat };

export const JSON_FRAME: RowFrame = { open: '{', close: '}', ofNull: 'null', isNamed: true, isCsv: false };
const ARRAY_FRAME: RowFrame = { open: '[', close: ']', ofNull: 'null', isNamed: false, isCsv: false };

const known = { json: new WeakMap<ResultShape, RowFormat>(), string: new WeakMap<ResultShape, RowFormat>() };

/**
 * Returns the format of rows with this shape. Each format is created once, because compiled writers are
 * cached by the identity of the format object.
 */
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

/** Returns the format in which each row is an array of its values. */
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
    way: isExactJson ? 'cell' : chooseValueFormat(column),
    long: isExactJson ? 'exact_json' : findLongForm(column),
    needsQuotes,
    isQuoted: numbers === 'string' && column.cast === undefined && isWideNumber(column),
    fraction: column.column?.fraction ?? column.fraction ?? 0,
    write: makeValueWriter(column, numbers),
  };
}

/** Returns how an executor writes a column in JSON. */
export function chooseValueFormat(column: ShapeColumn): ValueFormat {
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
