import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { CompiledTable } from '@rowhouse/schema-model';
import { createFaultList } from '../request/fault-list.js';
import type { JsonValue } from '../request/json-value.js';
import { parseJson, type JsonBudget } from '../request/parse-json.js';
import { readCsvHeader, type CsvHeader } from './csv-header.js';
import { parseCsvRecord, type CsvField } from './csv-record.js';
import { readCsvRow } from './csv-row.js';
import type { RawRecord } from './record-splitter.js';

export interface RowReaderOptions {
  readonly unknownFields: 'reject' | 'ignore';
}

/** Converts records as sent to values as JSON bodies have them. */
export interface RowReader {
  /** Returns the record, or undefined for a blank line. Throws 400 or 422 for an invalid record. */
  read(raw: RawRecord, budget: JsonBudget): JsonValue | undefined;
}

/**
 * Creates a reader. `header` is the first record of a CSV file, and null for NDJSON. Throws 422 if it does
 * not name columns of the table.
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
    hint: 'Convert the file, as with iconv -f WINDOWS-1252 -t UTF-8.',
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
