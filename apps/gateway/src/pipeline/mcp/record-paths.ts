import { encodeOnlyKey, type JsonNumber, type JsonValue } from '@rowhouse/rest-engine';
import type { ArgumentReader } from './argument-reader.js';

/** The long path, which reaches a table whatever it is called. */
export function tablePath(table: string): string {
  return `/_tables/${encodeURIComponent(table)}`;
}

/** `id`: a value, or the values of a composite key in an array. A fault of the argument `name` where it is neither; '' then. */
export function recordPath(table: string, id: JsonValue | null | undefined, reader: ArgumentReader, name: string): string {
  const values: readonly (JsonValue | null | undefined)[] = Array.isArray(id) ? (id as readonly JsonValue[]) : [id];
  const parts = values.map(toKeyPart).filter((part) => part !== null);
  const [only] = parts;
  if (only !== undefined && parts.length === values.length) return `${tablePath(table)}/${parts.length === 1 ? encodeOnlyKey(only) : parts.map(encodeURIComponent).join(',')}`;
  reader.refuse(name, 'the id of a record is a string or a number, of a composite key an array of them');
  return '';
}

function toKeyPart(value: JsonValue | null | undefined): string | null {
  if (typeof value === 'string') return value;
  const isNumber = typeof value === 'object' && value !== null && 'kind' in value;
  return isNumber ? (value as JsonNumber).text : null;
}
