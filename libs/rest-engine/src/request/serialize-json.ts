import { isJsonObject } from './json-kind.js';
import type { JsonNumber, JsonValue } from './json-value.js';

/** Compact JSON text of a value read by `parseJson` (whose depth is bounded): numbers with the digits they came with. */
export function serializeJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => serializeJson(item)).join(',')}]`;
  if (isJsonObject(value)) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${serializeJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return (value as JsonNumber).text;
}
