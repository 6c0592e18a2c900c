import { AppError } from '@rowhouse/errors';
import type { CompiledColumn } from '@rowhouse/schema-model';
import { readOperator } from '../plan/member-operator.js';
import type { FaultList } from '../request/fault-list.js';
import type { JsonObject, JsonValue } from '../request/json-value.js';
import { parseJson, type JsonBudget } from '../request/parse-json.js';
import type { CsvHeader } from './csv-header.js';
import { FIELDS_MAX, type CsvField } from './csv-record.js';

type Loc = readonly (string | number)[];

/** Converts a CSV record to the equivalent JSON object. Returns null after adding faults. */
export function readCsvRow(
  header: CsvHeader,
  fields: readonly CsvField[],
  loc: Loc,
  budget: JsonBudget,
  faults: FaultList,
): JsonObject | null {
  if (fields.length !== header.names.length) {
    const count =
      fields.length > FIELDS_MAX
        ? `more than ${FIELDS_MAX} fields`
        : `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    faults.add(loc, `The record has ${count}, the header ${header.names.length}.`, 'csv_fields');
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
 * Parses a field by the kind of its column, in the notation that this API writes. Returns undefined after
 * adding a fault.
 */
function readField(
  column: CompiledColumn,
  field: CsvField,
  loc: Loc,
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

function readEmpty(column: CompiledColumn, loc: Loc, faults: FaultList): JsonValue | undefined {
  if (column.nullable || column.autoIncrement || column.triggerFilled || column.generated !== null)
    return null;
  const isText = column.valueKind === 'string';
  faults.add(
    loc,
    'The field is empty, which is NULL, and the column must not be null.',
    'null_not_allowed',
    isText
      ? 'An empty text is written "".'
      : 'Leave a column out of the header to give all records its default.',
  );
  return undefined;
}

/** Also accepts the notation of spreadsheets, such as TRUE. */
function readBoolean(field: string): JsonValue {
  const lower = field.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  return field === '0' || field === '1' ? { kind: 'number', text: field } : field;
}

function readJson(field: string, loc: Loc, budget: JsonBudget, faults: FaultList): JsonValue | undefined {
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

/** Wraps an object that would be an operator in a JSON body. In a file it is only data. */
function keepAsData(column: CompiledColumn, value: JsonValue): JsonValue {
  const read = readOperator(column, value);
  return read.kind === 'data' && read.value === value ? value : new Map([['$value', value]]);
}
