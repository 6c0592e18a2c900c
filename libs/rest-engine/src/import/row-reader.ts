import { AppError, faultAt, validationError, type FaultLocation } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { readOperator } from '../plan/filter/member-operator.js';
import type { FaultList } from '../request/fault-list.js';
import type { JsonObject, JsonValue } from '../request/json-value.js';
import { parseJson, type JsonBudget } from '../request/parse-json.js';
import { type CsvField, FIELDS_MAX, parseCsvRecord } from './csv-record.js';
import { createFaultList } from '../request/fault-list.js';
import { findGenerated } from '../plan/write/plan-row.js';
import { findMemberColumn } from '../plan/write/plan-body.js';
import type { RawRecord } from './record-splitter.js';

export interface RowReaderOptions {
  readonly unknownFields: 'reject' | 'ignore';
}

/**
 * Converts the records of an NDJSON or CSV body to the values that the equivalent JSON body would contain.
 */
export interface RowReader {
  /** Returns the record, or undefined for a blank line. Throws 400 or 422 for an invalid record. */
  read(raw: RawRecord, budget: JsonBudget): JsonValue | undefined;
}

/** The meaning of each field of a record, according to the header line. */
export interface CsvHeader {
  readonly names: readonly string[];
  /**
   * The column of each field. Null for a field whose name is ignored, because this database ignores unknown
   * members.
   */
  readonly columns: readonly (CompiledColumn | null)[];
}

/**
 * Converts a CSV record to the equivalent JSON object. If a field is invalid, adds faults and returns null.
 */
export function readCsvRow(
  header: CsvHeader,
  fields: readonly CsvField[],
  loc: FaultLocation,
  budget: JsonBudget,
  faults: FaultList,
): JsonObject | null {
  if (fields.length !== header.names.length) {
    const count =
      fields.length > FIELDS_MAX
        ? `more than ${FIELDS_MAX} fields`
        : `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    faults.add(loc, `The record has ${count}, but the header has ${header.names.length}.`, 'csv_fields');
    return null;
  }
  const record = new Map<string, JsonValue>();
  for (const [index, field] of fields.entries()) {
    const column = header.columns[index] ?? null;
    if (column === null) continue;
    const value = readField(column, field, [...loc, column.name], budget, faults);
    if (value !== undefined) record.set(header.names[index] ?? '', value);
  }
  return record;
}

/**
 * Parses a field according to the type of its column, in the notation in which this API writes CSV. Returns
 * undefined after adding a fault.
 */
function readField(
  column: CompiledColumn,
  field: CsvField,
  loc: FaultLocation,
  budget: JsonBudget,
  faults: FaultList,
): JsonValue | undefined {
  if (field === null) return readEmpty(column, loc, faults);
  switch (column.valueKind) {
    case 'boolean':
      return readBoolean(field);
    case 'json': {
      const value = readJson(field, loc, budget, faults);
      return value === undefined ? undefined : keepAsData(column, value);
    }
    case 'geometry':
    case 'vector':
      return readJson(field, loc, budget, faults);
    default:
      return field;
  }
}

function readEmpty(column: CompiledColumn, loc: FaultLocation, faults: FaultList): JsonValue | undefined {
  if (column.nullable || column.autoIncrement || column.triggerFilled || column.generated !== null)
    return null;
  const isText = column.valueKind === 'string';
  faults.add(
    loc,
    'The field is empty, which means NULL, and the column must not be null.',
    'null_not_allowed',
    isText
      ? 'To store an empty string, write "".'
      : 'To use the default for all records, omit the column from the header.',
  );
  return undefined;
}

/** Parses a boolean. The notation of spreadsheets, such as TRUE, is accepted too. */
function readBoolean(field: string): JsonValue {
  const lower = field.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  return field === '0' || field === '1' ? { kind: 'number', text: field } : field;
}

function readJson(
  field: string,
  loc: FaultLocation,
  budget: JsonBudget,
  faults: FaultList,
): JsonValue | undefined {
  try {
    return parseJson(field, budget);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    faults.add(
      loc,
      error.faults?.[0]?.msg ?? error.detail.replace('The body is', 'The field is'),
      'json_parsing',
    );
    return undefined;
  }
}

/**
 * Wraps an object that a JSON body would treat as an operator, such as `{"$inc": 1}`. In a file, such an
 * object is only data.
 */
function keepAsData(column: CompiledColumn, value: JsonValue): JsonValue {
  const read = readOperator(column, value);
  return read.kind === 'data' && read.value === value ? value : new Map([['$value', value]]);
}

/**
 * Returns the columns that the header line of a CSV file names. Throws 422 with all faults of the header
 * line.
 */
export function readCsvHeader(
  table: CompiledTable,
  fields: readonly CsvField[],
  unknownFields: 'reject' | 'ignore',
): CsvHeader {
  const faults = createFaultList('body.invalid');
  if (fields.length > FIELDS_MAX)
    throw validationError('body.invalid', [
      faultAt(
        ['body'],
        `Line 1: There are more than ${FIELDS_MAX} fields. No table has that many columns.`,
        'csv_header',
      ),
    ]);
  const names = fields.map((field) => field ?? '');
  const columns = names.map((name, index) => {
    const loc = ['body', name];
    if (name === '')
      faults.add(
        ['body'],
        `Line 1: Column ${index + 1} has no name.`,
        'csv_header',
        'Name the columns in the first line.',
      );
    else if (names.indexOf(name) !== index)
      faults.add(loc, `Line 1: The column ${JSON.stringify(name)} appears twice.`, 'csv_header');
    else
      return (
        findGenerated(table, name) ??
        findMemberColumn(table, name, loc, unknownFields, faults, () =>
          faults.add(loc, 'Line 1: CSV cannot contain related records.', 'csv_header'),
        )
      );
    return null;
  });
  const [only = ''] = names;
  if (names.length === 1 && columns[0] === null && /[;\t|]/.test(only))
    faults.add(
      ['body'],
      'Line 1: Fields must be separated by commas.',
      'csv_header',
      'Save the file with commas as separators.',
    );
  faults.throwIfAny();
  return { names, columns };
}

/**
 * Creates a reader for the records after the header. `header` is the first record of a CSV file, and null for
 * NDJSON. Throws 422 if the header contains unknown columns.
 */
export function createRowReader(
  table: CompiledTable,
  header: RawRecord | null,
  options: RowReaderOptions,
): RowReader {
  if (header === null) return { read: (raw, budget) => readJsonLine(textOf(raw), budget) };
  const names = parseFields(textOf(header));
  const columns = readCsvHeader(table, names, options.unknownFields);
  return {
    read(raw, budget) {
      const text = textOf(raw);
      return text === '' && names.length > 1 ? undefined : readFields(columns, parseFields(text), budget);
    },
  };
}

function textOf(raw: RawRecord): string {
  if (raw.fault !== null)
    throw validationError('body.invalid', [faultAt(['body'], raw.fault.msg, raw.fault.type)]);
  if (raw.text !== null) return raw.text;
  throw new AppError('request.invalid_utf8', {
    detail: 'The line is not valid UTF-8.',
    hint: 'Convert the file to UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.',
  });
}

function readJsonLine(text: string, budget: JsonBudget): JsonValue | undefined {
  return /^[ \t]*$/.test(text) ? undefined : parseJson(text, budget);
}

function parseFields(text: string): readonly CsvField[] {
  const parsed = parseCsvRecord(text);
  if ('fault' in parsed)
    throw validationError('body.invalid', [faultAt(['body'], parsed.fault.msg, parsed.fault.type)]);
  return parsed.fields;
}

function readFields(header: CsvHeader, fields: readonly CsvField[], budget: JsonBudget): JsonValue | null {
  const faults = createFaultList('body.invalid');
  const row = readCsvRow(header, fields, ['body'], budget, faults);
  faults.throwIfAny();
  return row;
}
