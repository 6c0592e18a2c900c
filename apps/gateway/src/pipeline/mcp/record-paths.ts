import { encodeOnlyKey, type JsonNumber, type JsonValue } from '@rowhouse/rest-engine';
import type { ArgumentReader } from './argument-reader.js';

/** Returns the long path, which works for any table name. */
export function tablePath(table: string): string {
  return `/_tables/${encodeURIComponent(table)}`;
}

/**
 * Returns the path of a record. `id` is a value, or an array with the values of a composite key. Any other
 * value is a fault of the argument `name`, and the result is empty.
 */
export function recordPath(
  table: string,
  id: JsonValue | null | undefined,
  reader: ArgumentReader,
  name: string,
): string {
  const values: readonly (JsonValue | null | undefined)[] = Array.isArray(id)
    ? (id as readonly JsonValue[])
    : [id];
  const parts = values.map(toKeyPart).filter((part) => part !== null);
  const [only] = parts;
  if (only !== undefined && parts.length === values.length)
    return `${tablePath(table)}/${parts.length === 1 ? encodeOnlyKey(only) : parts.map(encodeURIComponent).join(',')}`;
  reader.reject(name, 'the id of a record is a string or a number, of a composite key an array of them');
  return '';
}

function toKeyPart(value: JsonValue | null | undefined): string | null {
  if (typeof value === 'string') return value;
  const isNumber = typeof value === 'object' && value !== null && 'kind' in value;
  return isNumber ? (value as JsonNumber).text : null;
}
