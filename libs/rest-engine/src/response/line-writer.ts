import type { ResultShape, ShapeColumn } from '../sql/statement.js';
import type { AnswerFormat } from '../request/negotiate-format.js';
import { disarmFormula, quoteCsv } from './csv-text.js';
import type { Cell } from './result-set.js';
import { rowWriterOf } from './row-writer.js';
import { makeValueWriter, textOfCell, type ValueWriter } from './value-writer.js';

export type StreamFormat = Exclude<AnswerFormat, 'json'>;

export const NDJSON_TYPE = 'application/x-ndjson';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface LineOptions {
  readonly numbers: 'json' | 'string';
  /** Of CSV: texts that a spreadsheet would run get an apostrophe in front. */
  readonly formulas: 'keep' | 'escape';
  /** Of NDJSON: each record as an array of its values. */
  readonly isArray?: boolean;
}

/** How the records of a stream are written. */
export interface LineWriter {
  readonly contentType: string;
  /** Before the first record, also where there is none. */
  readonly head: string;
  /** A record with its line end. */
  readonly line: (cells: readonly Cell[]) => string;
}

export function createLineWriter(shape: ResultShape, format: StreamFormat, options: LineOptions): LineWriter {
  if (format === 'csv') return createCsvWriter(shape, options);
  const contentType = NDJSON_TYPE;
  if (options.isArray !== true) {
    const write = rowWriterOf(shape, options.numbers);
    return { contentType, head: '', line: (cells) => `${toOneLine(`{${write(cells)}}`)}\n` };
  }
  const writers = makeWriters(shape, (column) => makeValueWriter(column, options.numbers));
  return { contentType, head: '', line: (cells) => `${toOneLine(`[${writeCells(writers, cells, 'null')}]`)}\n` };
}

/** JSON columns are shown as they are stored, where a line end is white space between two tokens and nothing else. */
function toOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json;
}

function createCsvWriter(shape: ResultShape, options: LineOptions): LineWriter {
  const writers = makeWriters(shape, (column) => makeCsvWriter(column, options.formulas));
  const names = shape.columns.filter((column) => column.isOutput).map((column) => quoteCsv(column.name));
  return { contentType: CSV_TYPE, head: `${names.join(',')}\r\n`, line: (cells) => `${writeCells(writers, cells, '')}\r\n` };
}

interface PlacedWriter {
  readonly at: number;
  readonly write: ValueWriter;
}

function makeWriters(shape: ResultShape, make: (column: ShapeColumn) => ValueWriter): PlacedWriter[] {
  return shape.columns.flatMap((column, at) => (column.isOutput ? [{ at, write: make(column) }] : []));
}

function writeCells(writers: readonly PlacedWriter[], cells: readonly Cell[], ofNull: string): string {
  let text = '';
  for (const [index, { at, write }] of writers.entries()) {
    const cell = cells[at] ?? null;
    text += (index === 0 ? '' : ',') + (cell === null ? ofNull : write(cell));
  }
  return text;
}

/** The same values as in JSON, without JSON's quotes: what is written here is read back by an import as it was. */
function makeCsvWriter(column: ShapeColumn, formulas: LineOptions['formulas']): ValueWriter {
  const write = makeValueWriter(column, 'json');
  switch (column.kind) {
    case 'integer': case 'decimal': case 'float': case 'double': case 'bit': case 'boolean': case 'year': return write;
    case 'date': case 'datetime': case 'timestamp': case 'time': return (cell) => write(cell).slice(1, -1);
    case 'binary': return (cell) => quoteCsv(write(cell).slice(1, -1));
    case 'json': case 'geometry': case 'vector': return (cell) => quoteCsv(write(cell));
    case 'uuid': case 'inet': return (cell) => quoteCsv(textOfCell(cell));
    // A SET's labels stand with commas between them, as the engine writes them.
    case 'string': case 'enum': case 'set': return formulas === 'keep' ? (cell) => quoteCsv(textOfCell(cell)) : (cell) => quoteCsv(disarmFormula(textOfCell(cell)));
  }
}
