import { JsonRecord } from './json-record.js';
import type { JsonArray, JsonNumber, JsonObject, JsonValue } from './json-value.js';

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map || value instanceof JsonRecord;
}

export function isJsonArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

export function isJsonNumber(value: JsonValue): value is JsonNumber {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Returns the kind of a value for use in messages. */
export function nameJsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  if (isJsonNumber(value)) return 'a number';
  return typeof value === 'string' ? 'a string' : 'a boolean';
}
