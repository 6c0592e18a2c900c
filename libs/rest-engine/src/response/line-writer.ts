import type { ResultShape, ShapeColumn } from '../sql/statement.js';
import type { ResponseFormat } from '../request/api-request.js';
import type { RowTags } from './record-tag.js';
import type { Cell } from '../values/cell.js';
import {
  chooseValueFormat,
  JSON_FRAME,
  rowFormatOf,
  type ValueFormat,
  type LongForm,
  type RowFormat,
  type RowFrame,
} from './row-format.js';
import { rowWriterOf } from './row-writer.js';
import {
  makeValueWriter,
  textOfCell,
  withoutCast,
  type ValueWriter,
  castToCsv,
  disarmFormula,
  quoteCsv,
} from '../sql/value-writer.js';

export type StreamFormat = Exclude<ResponseFormat, 'json'>;

export const NDJSON_TYPE = 'application/x-ndjson';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface LineOptions {
  readonly numbers: 'json' | 'string';
  /** For CSV: whether a text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
  readonly formulas: 'keep' | 'escape';
  /** For NDJSON: whether each record is written as an array of its values. */
  readonly isArray?: boolean;
  /**
   * Computes the version of each record, which is written as its last member. If null or absent, no version
   * is written.
   */
  readonly tags?: RowTags | null;
}

/** Writes the records of a stream as lines of text. */
export interface LineWriter {
  readonly contentType: string;
  /** The text before the first record. It is sent even for an empty result. */
  readonly head: string;
  /** Returns a record as a line, including the line break. */
  readonly line: (cells: readonly Cell[]) => string;
  /** The format for executors that write the lines themselves. Null if executors cannot write this format. */
  readonly format: RowFormat | null;
  /**
   * Completes each line for which `format` writes only the beginning. It uses the retained cells of the row.
   * Null if `format` writes whole lines.
   */
  readonly tail: LineTail | null;
}

export type LineTail = (keys: readonly Cell[]) => string;

export function createLineWriter(shape: ResultShape, format: StreamFormat, options: LineOptions): LineWriter {
  if (format === 'csv') return createCsvWriter(shape, options);
  const contentType = NDJSON_TYPE;
  if (options.isArray !== true) {
    const write = withTag(
      rowWriterOf(shape, options.numbers),
      (tag) => `"${ETAG}":${JSON.stringify(tag)}`,
      shape,
      options,
    );
    return {
      contentType,
      head: '',
      line: (cells) => `${toOneLine(`{${write(cells)}}`)}\n`,
      ...withTail(
        lineFormatOf(shape, options.numbers),
        (tag) => `"${ETAG}":${JSON.stringify(tag)}`,
        shape,
        options,
      ),
    };
  }
  const writers = makeWriters(shape, (column) => makeValueWriter(column, options.numbers));
  const write = withTag(
    (cells) => writeCells(writers, cells, 'null'),
    (tag) => JSON.stringify(tag),
    shape,
    options,
  );
  return {
    contentType,
    head: '',
    line: (cells) => `${toOneLine(`[${write(cells)}]`)}\n`,
    ...withTail(
      { ...lineFormatOf(shape, options.numbers), frame: ARRAY_LINE_FRAME },
      (tag) => JSON.stringify(tag),
      shape,
      options,
    ),
  };
}

const lineFormats = {
  json: new WeakMap<ResultShape, RowFormat>(),
  string: new WeakMap<ResultShape, RowFormat>(),
};
const LINE_FRAME: RowFrame = { ...JSON_FRAME, close: '}\n' };
const ARRAY_LINE_FRAME: RowFrame = { ...JSON_FRAME, open: '[', close: ']\n', isNamed: false };

function lineFormatOf(shape: ResultShape, numbers: 'json' | 'string'): RowFormat {
  let format = lineFormats[numbers].get(shape);
  if (format === undefined) {
    const { columns, keys } = rowFormatOf(shape, numbers);
    lineFormats[numbers].set(
      shape,
      (format = {
        frame: LINE_FRAME,
        keys,
        columns: columns.map((column) => ({
          ...column,
          long:
            column.long === 'json'
              ? 'json_line'
              : column.long === 'exact_json'
                ? 'exact_json_line'
                : column.long,
          write: (cell) => toOneLine(column.write(cell)),
        })),
      }),
    );
  }
  return format;
}

/**
 * Replaces line breaks in JSON with spaces. JSON columns are written as they are stored, and a line break can
 * only occur between tokens.
 */
function toOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json;
}

function createCsvWriter(shape: ResultShape, options: LineOptions): LineWriter {
  const writers = makeWriters(shape, (column) => makeCsvWriter(column, options.formulas));
  const toName = ({ name }: ShapeColumn): string =>
    quoteCsv(options.formulas === 'keep' ? name : disarmFormula(name));
  const names = shape.columns.filter((column) => column.isOutput).map(toName);
  if (options.tags !== undefined && options.tags !== null) names.push(ETAG);
  const write = withTag((cells) => writeCells(writers, cells, ''), quoteCsv, shape, options);
  return {
    contentType: CSV_TYPE,
    head: `${names.join(',')}\r\n`,
    line: (cells) => `${write(cells)}\r\n`,
    ...withTail(csvFormatOf(shape, options.formulas), quoteCsv, shape, options),
  };
}

const csvFormats = {
  keep: new WeakMap<ResultShape, RowFormat>(),
  escape: new WeakMap<ResultShape, RowFormat>(),
};
const CSV_FRAME: RowFrame = { open: '', close: '\r\n', ofNull: '', isNamed: false, isCsv: true };

function csvFormatOf(shape: ResultShape, formulas: LineOptions['formulas']): RowFormat {
  let format = csvFormats[formulas].get(shape);
  if (format === undefined) {
    const columns = rowFormatOf(shape, 'json').columns.map((json, index) => {
      const column = shape.columns[index] as ShapeColumn;
      return {
        ...json,
        way: findCsvFormat(column, formulas),
        long: findLongField(column, formulas),
        write: makeCsvWriter(column, formulas),
      };
    });
    csvFormats[formulas].set(shape, (format = { frame: CSV_FRAME, keys: shape.keys, columns }));
  }
  return format;
}

/**
 * Returns how an executor writes a column as a CSV field. Values have no JSON quotes. Text columns use
 * formats of their own.
 */
function findCsvFormat(column: ShapeColumn, formulas: LineOptions['formulas']): ValueFormat {
  if (column.cast !== undefined) return 'cell';
  switch (column.kind) {
    case 'string':
    case 'enum':
    case 'set':
      return formulas === 'keep' ? 'field' : 'harmless_field';
    case 'uuid':
    case 'inet':
      return 'field';
    case 'json':
      return 'cell';
    default:
      return chooseValueFormat(column);
  }
}

function findLongField({ kind, cast }: ShapeColumn, formulas: LineOptions['formulas']): LongForm | null {
  if (cast !== undefined) return null;
  switch (kind) {
    case 'string':
    case 'enum':
      return formulas === 'keep' ? 'field' : 'harmless_field';
    case 'uuid':
    case 'inet':
      return 'field';
    case 'json':
    case 'geometry':
      return 'json_field';
    case 'binary':
      return 'base64_field';
    default:
      return null;
  }
}

const ETAG = '_etag';

function withTag(
  write: (cells: readonly Cell[]) => string,
  writeTag: (tag: string) => string,
  shape: ResultShape,
  { tags }: LineOptions,
): (cells: readonly Cell[]) => string {
  if (tags === undefined || tags === null) return write;
  const comma = commaOf(shape);
  return (cells) => write(cells) + comma + writeTag(tags.ofCells(cells));
}

const openFormats = new WeakMap<RowFormat, RowFormat>();

/**
 * Returns the format for lines with record versions. The executor leaves each line open, and the tail adds
 * the version.
 */
function withTail(
  format: RowFormat,
  writeTag: (tag: string) => string,
  shape: ResultShape,
  { tags }: LineOptions,
): Pick<LineWriter, 'format' | 'tail'> {
  if (tags === undefined || tags === null) return { format, tail: null };
  const open = openFormats.get(format) ?? { ...format, frame: { ...format.frame, close: '' } };
  openFormats.set(format, open);
  const [comma, { close }] = [commaOf(shape), format.frame];
  return { format: open, tail: (keys) => `${comma}${writeTag(tags.ofKeys(keys))}${close}` };
}

function commaOf(shape: ResultShape): string {
  return shape.columns.some((column) => column.isOutput) ? ',' : '';
}

interface PositionedWriter {
  readonly index: number;
  readonly write: ValueWriter;
}

function makeWriters(shape: ResultShape, make: (column: ShapeColumn) => ValueWriter): PositionedWriter[] {
  return shape.columns.flatMap((column, index) => (column.isOutput ? [{ index, write: make(column) }] : []));
}

function writeCells(writers: readonly PositionedWriter[], cells: readonly Cell[], ofNull: string): string {
  let text = '';
  for (const [index, { index: position, write }] of writers.entries()) {
    const cell = cells[position] ?? null;
    text += (index === 0 ? '' : ',') + (cell === null ? ofNull : write(cell));
  }
  return text;
}

/**
 * Returns a writer for CSV. It writes the same values as in JSON, without JSON's quotes, so that an import
 * reads them back unchanged.
 */
function makeCsvWriter(column: ShapeColumn, formulas: LineOptions['formulas']): ValueWriter {
  if (column.cast !== undefined)
    return castToCsv(column, formulas, makeValueWriter(withoutCast(column), 'json'));
  const write = makeValueWriter(column, 'json');
  switch (column.kind) {
    case 'integer':
    case 'decimal':
    case 'float':
    case 'double':
    case 'bit':
    case 'boolean':
    case 'year':
      return write;
    case 'date':
    case 'datetime':
    case 'timestamp':
    case 'time':
      return (cell) => write(cell).slice(1, -1);
    case 'binary':
      return (cell) => quoteCsv(write(cell).slice(1, -1));
    case 'json':
    case 'geometry':
    case 'vector':
      return (cell) => quoteCsv(write(cell));
    case 'uuid':
    case 'inet':
      return (cell) => quoteCsv(textOfCell(cell));
    // The labels of a SET are written as the server returns them, separated by commas.
    case 'string':
    case 'enum':
    case 'set':
      return formulas === 'keep'
        ? (cell) => quoteCsv(textOfCell(cell))
        : (cell) => quoteCsv(disarmFormula(textOfCell(cell)));
  }
}
