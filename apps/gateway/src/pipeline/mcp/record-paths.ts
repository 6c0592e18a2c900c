import type { JsonNumber, JsonValue } from '@rowhouse/rest-engine';
import type { ArgumentReader } from './argument-reader.js';

/** The long path, which reaches a table whatever it is called. */
export function tablePath(table: string): string {
  return `/_tables/${encodeURIComponent(table)}`;
}

/** `id`: a value, or the values of a composite key in an array. A fault of the argument `name` where it is neither; '' then. */
export function recordPath(table: string, id: JsonValue | null | undefined, reader: ArgumentReader, name: string): string {
  const values: readonly (JsonValue | null | undefined)[] = Array.isArray(id) ? (id as readonly JsonValue[]) : [id];
  const parts = values.map(toKeyPart);
  if (parts.length > 0 && parts.every((part) => part !== null && part !== '')) return `${tablePath(table)}/${parts.join(',')}`;
  reader.refuse(name, 'the id of a record is a string or a number, of a composite key an array of them');
  return '';
}

function toKeyPart(value: JsonValue | null | undefined): string | null {
  if (typeof value === 'string') return encodeURIComponent(value);
  const isNumber = typeof value === 'object' && value !== null && 'kind' in value;
  return isNumber ? encodeURIComponent((value as JsonNumber).text) : null;
}
