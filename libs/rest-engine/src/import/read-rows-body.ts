import { AppError, changeError, faultAt, type FieldFault, validationError } from '@rowhouse/errors';
import type { CompiledTable, Steps } from '@rowhouse/schema-model';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import type { JsonValue } from '../request/json-value.js';
import { JSON_VALUES_MAX, type JsonBudget } from '../request/parse-json.js';
import { BULK_ROWS_MAX } from '../plan/write/plan-record.js';
import { createRowReader, type RowReader, type RowReaderOptions } from './row-reader.js';
import { createRecordSplitter, type OpenUtf8, type RawRecord } from './record-splitter.js';
import type { RowsFormat } from '../request/api-request.js';

/** The records of an NDJSON or CSV body as the equivalent JSON array, and the line number of each. */
export interface RowsBody {
  readonly rows: readonly JsonValue[];
  readonly lines: readonly number[];
}

export interface RowsBodyOptions extends RowReaderOptions {
  readonly format: RowsFormat;
  /** Decodes UTF-8. Returns null if the bytes are not valid UTF-8. */
  readonly decodeUtf8: (bytes: Uint8Array) => string | null;
  /** Creates a decoder for long records (see `createRecordSplitter`). */
  readonly openUtf8?: OpenUtf8;
}

export const MANY_ROWS_HINT =
  'To create more, send Prefer: on-error=stop or on-error=continue. The records are then stored in parts, with a report.';

/**
 * The maximum number of values in one record. A record is parsed in one step, in which no other request can
 * run.
 */
export const RECORD_VALUES_MAX = 200_000;

/**
 * The number of bytes that one step splits into records. If all lines are empty, a step finds as many lines
 * as bytes.
 */
const STEP_BYTES = 64 * 1024;

/**
 * Reads a complete NDJSON or CSV body in steps. Throws 400 at the first line that cannot be parsed. Throws
 * 422 with the faults of all lines that can be parsed but are invalid.
 */
export function* readRowsBodySteps(
  bytes: Uint8Array,
  table: CompiledTable,
  options: RowsBodyOptions,
): Steps<RowsBody> {
  const { format } = options;
  const splitter = createRecordSplitter(format, bytes.length, options.decodeUtf8, options.openUtf8 ?? null);
  let reader = format === 'csv' ? null : openRowReader(table, null, options);
  const rowsParserState: RowsParserState = {
    faults: createFaultList('body.invalid'),
    budget: { values: JSON_VALUES_MAX },
    rows: [],
    lines: [],
  };
  for (let start = 0; ; start += STEP_BYTES) {
    const records = splitter.push(bytes.subarray(start, start + STEP_BYTES));
    const isLast = start + STEP_BYTES >= bytes.length;
    if (isLast) records.push(...splitter.end());
    reader ??= records.length > 0 || isLast ? openRowReader(table, takeHeader(records), options) : null;
    if (reader !== null) readRecords(reader, records, rowsParserState);
    if (isLast || rowsParserState.faults.isFull()) break;
    yield;
  }
  rowsParserState.faults.throwIfAny();
  return { rows: rowsParserState.rows, lines: rowsParserState.lines };
}

interface RowsParserState {
  readonly faults: FaultList;
  readonly budget: JsonBudget;
  readonly rows: JsonValue[];
  readonly lines: number[];
}

function readRecords(
  reader: RowReader,
  records: readonly RawRecord[],
  { faults, budget, rows, lines }: RowsParserState,
): void {
  for (const raw of records) {
    const row = readOne(reader, raw, budget, rows.length, faults);
    if (row === undefined) continue;
    if (rows.length === BULK_ROWS_MAX)
      throw validationError(
        'limit.bulk_rows',
        [faultAt(['body'], `A request can create at most ${BULK_ROWS_MAX} records.`, 'too_long')],
        MANY_ROWS_HINT,
      );
    rows.push(row);
    lines.push(raw.line);
    if (faults.isFull()) return;
  }
}

/** Removes the first record, which is the header, from the list and returns it. */
export function takeHeader(records: RawRecord[]): RawRecord {
  const header = records.shift();
  if (header === undefined)
    throw validationError('body.invalid', [
      faultAt(['body'], 'CSV must start with a line of column names.', 'csv_header'),
    ]);
  return header;
}

/**
 * Creates a reader for the records after the header. `header` is the first record of a CSV file, and null for
 * NDJSON. Throws an error with line number 1 for an invalid header.
 */
export function openRowReader(
  table: CompiledTable,
  header: RawRecord | null,
  options: RowReaderOptions,
): RowReader {
  try {
    return createRowReader(table, header, options);
  } catch (error) {
    throw error instanceof AppError ? nameLine(error, 1) : error;
  }
}

function readOne(
  reader: RowReader,
  raw: RawRecord,
  budget: JsonBudget,
  index: number,
  faults: FaultList,
): JsonValue | undefined {
  try {
    const remaining = Math.min(budget.values, RECORD_VALUES_MAX);
    const own = { values: remaining, max: remaining };
    const row = reader.read(raw, own);
    budget.values -= remaining - own.values;
    return row;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.faults === undefined) throw nameLine(error, raw.line);
    for (const fault of error.faults)
      faults.add(
        [...fault.loc.slice(0, 1), index, ...fault.loc.slice(1)],
        withLine(fault.msg, raw.line),
        fault.type,
        error.hint ?? null,
      );
    // An empty object replaces the invalid record, so that later records keep their indexes.
    return new Map();
  }
}

/** Adds a line number to an error in one record of a body. */
export function nameLine(error: AppError, line: number): AppError {
  const faults = error.faults?.map((fault) => ({ ...fault, msg: withLine(fault.msg, line) }));
  return changeError(error, {
    detail: withLine(error.detail, line),
    faults,
    extra: { ...error.extra, line },
  });
}

/** Adds line numbers to faults that refer to elements of an array, such as `["body", 3, "age"]`. */
function nameLines(error: AppError, lines: readonly number[]): AppError {
  return error.faults === undefined
    ? error
    : changeError(error, { faults: error.faults.map((fault) => nameFault(fault, lines)) });
}

/**
 * Changes the locations in an error so that they begin with `loc`. For example, `["body", 3]` is the element
 * at index 3 of an array.
 */
export function withElement(error: AppError, loc: readonly (string | number)[]): AppError {
  const faults = error.faults?.map((fault) =>
    fault.loc[0] === 'body' ? { ...fault, loc: [...loc, ...fault.loc.slice(1)] } : fault,
  );
  if (faults !== undefined) return changeError(error, { faults });
  const [, at] = loc;
  return changeError(error, {
    detail: typeof at === 'number' ? `Element ${at}: ${error.detail}` : error.detail,
    extra: { ...error.extra, loc },
  });
}

/** Finds the element of the body to which an error refers, and adds the number of its line to the error. */
export function nameElementLine(error: AppError, lines: readonly number[]): AppError {
  const loc: unknown = error.extra?.['loc'] ?? error.faults?.find((fault) => fault.loc[0] === 'body')?.loc;
  const at: unknown = Array.isArray(loc) ? loc[1] : undefined;
  const line = typeof at === 'number' ? lines[at] : undefined;
  if (line === undefined) return error;
  // A database error concerns one record. Errors found by the planner can concern many records.
  return error.internal === undefined
    ? nameLines(error, lines)
    : nameLine(changeError(error, { detail: error.detail.replace(/^Element \d+: /, '') }), line);
}

function nameFault(fault: FieldFault, lines: readonly number[]): FieldFault {
  const [area, at] = fault.loc;
  const line = area === 'body' && typeof at === 'number' ? lines[at] : undefined;
  return line === undefined ? fault : { ...fault, msg: withLine(fault.msg, line) };
}

function withLine(text: string, line: number): string {
  return /^Line \d+: /.test(text) ? text : `Line ${line}: ${text}`;
}
