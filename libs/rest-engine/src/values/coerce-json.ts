import type { CompiledColumn } from '@rowhouse/schema-model';
import { isJsonArray, isJsonNumber, isJsonObject, nameJsonKind } from '../request/json-value.js';
import type { JsonValue } from '../request/json-value.js';
import { serializeJson } from '../request/serialize-json.js';
import { coerceVector } from './coerce-binary.js';
import { fits, reject, type Coerced } from './coerced.js';
import { coerceGeometry } from './coerce-geometry.js';
import { coerceEnum, coerceSet } from './coerce-label.js';
import { coerceDecimal, coerceFloat, coerceInteger, toWholeNumber } from './coerce-number.js';
import { coerceText } from './coerce-text.js';
import { coerceYear } from './coerce-temporal.js';
import { findPrepared } from './prepare-documents.js';

/**
 * Converts a member of a body to the form that its column stores. Only conversions that follow from the
 * schema are made: the type of a value is never guessed.
 */
export function coerceJson(column: CompiledColumn, value: JsonValue): Coerced {
  if (value === null)
    return column.nullable || column.triggerFilled
      ? fits(null)
      : reject('The column must not be null.', 'null_not_allowed');
  if (column.valueKind === 'json') return coerceDocument(column, value);
  if (typeof value === 'string') return coerceJsonString(column, value);
  if (isJsonNumber(value)) return coerceJsonNumber(column, value.text);
  if (typeof value === 'boolean')
    return column.valueKind === 'boolean' ? fits(value ? 1 : 0) : wrongKind(column, value);
  return coerceStructure(column, value);
}

/**
 * The maximum nesting depth of a document. MariaDB stores JSON as text with a check constraint, which rejects
 * deeper documents.
 */
const TEXT_DEPTH_MAX = 31;

function coerceDocument(column: CompiledColumn, value: JsonValue): Coerced {
  const known = findPrepared(value);
  const isTooDeep = (): boolean =>
    known === undefined ? isDeeper(value, TEXT_DEPTH_MAX) : known.depth > TEXT_DEPTH_MAX;
  if (column.type === 'longtext' && isTooDeep())
    return reject(`JSON in this column can be nested at most ${TEXT_DEPTH_MAX} deep.`, 'too_deep');
  return fits(known?.text ?? serializeJson(value));
}

function isDeeper(value: JsonValue, depthMax: number): boolean {
  if (!isJsonArray(value) && !isJsonObject(value)) return false;
  if (depthMax === 0) return true;
  for (const item of value.values()) {
    // The type is tested before the recursive call, because most items of a long list are not containers.
    if (typeof item === 'object' && !isJsonNumber(item) && isDeeper(item, depthMax - 1)) return true;
  }
  return false;
}

function coerceJsonString(column: CompiledColumn, text: string): Coerced {
  const { valueKind } = column;
  // The text "true" is not accepted as a boolean. It indicates that the client has lost the types of its
  // values.
  if (valueKind === 'boolean' || valueKind === 'vector' || valueKind === 'geometry')
    return wrongKind(column, text);
  return coerceText(column, text, 'write');
}

function coerceJsonNumber(column: CompiledColumn, text: string): Coerced {
  switch (column.valueKind) {
    case 'integer':
    case 'bit':
      return coerceInteger(column, text, 'write', true);
    case 'decimal':
      return coerceDecimal(column, text, 'write');
    case 'float':
    case 'double':
      return coerceFloat(column, text, 'write');
    case 'boolean':
      return coerceTruth(toWholeNumber(text) ?? text);
    case 'year':
      return coerceYear(toWholeNumber(text) ?? text, 'write');
    case 'enum':
      return coerceEnum(column, toWholeNumber(text) ?? text, true, 'write');
    default:
      return wrongKind(column, { kind: 'number', text });
  }
}

function coerceTruth(digits: string): Coerced {
  return digits === '0' || digits === '1'
    ? fits(Number(digits))
    : reject('The value must be true or false.', 'bool_parsing');
}

function coerceStructure(column: CompiledColumn, value: JsonValue): Coerced {
  if (column.valueKind === 'geometry' && isJsonObject(value)) return coerceGeometry(column, value);
  if (!isJsonArray(value)) return wrongKind(column, value);
  if (column.valueKind === 'set') {
    const labels = value.filter((item) => typeof item === 'string');
    return labels.length === value.length
      ? coerceSet(column, labels)
      : reject('The labels of a set must be strings.', 'set_type');
  }
  if (column.valueKind === 'vector') {
    const numbers = value.filter(isJsonNumber).map((item) => item.text);
    return numbers.length === value.length
      ? coerceVector(column, numbers)
      : reject('A vector must contain numbers.', 'vector_type');
  }
  return wrongKind(column, value);
}

const EXPECTED: Readonly<Record<string, string>> = {
  integer: 'an integer',
  bit: 'an integer',
  decimal: 'a number',
  float: 'a number',
  double: 'a number',
  boolean: 'true or false',
  year: 'a number',
  set: 'an array of labels',
  vector: 'an array of numbers',
  geometry: 'a GeoJSON object',
  binary: 'base64 in a string',
};

function wrongKind(column: CompiledColumn, value: JsonValue): Coerced {
  const expected = EXPECTED[column.valueKind] ?? 'a string';
  return reject(`The column takes ${expected}, not ${nameJsonKind(value)}.`, `${column.valueKind}_type`);
}
