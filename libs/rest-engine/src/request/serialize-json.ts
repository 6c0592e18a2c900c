import { isJsonObject } from './json-value.js';
import type { JsonNumber, JsonValue } from './json-value.js';

/**
 * Returns the compact JSON text of a value from `parseJson`, which limits the depth. Numbers keep their
 * original digits.
 */
export function serializeJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoteJson(value);
  let text = '';
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    // Many items are joined from an array. Adding hundreds of thousands of strings to one string takes the
    // garbage collector longer.
    if (items.length > ROPE_ITEMS_MAX) return `[${items.map(serializeJson).join(',')}]`;
    for (const item of items) text += `${text === '' ? '' : ','}${serializeJson(item)}`;
    return `[${text}]`;
  }
  if (isJsonObject(value)) {
    for (const [name, member] of value)
      text += `${text === '' ? '' : ','}${quoteJson(name)}:${serializeJson(member)}`;
    return `{${text}}`;
  }
  return (value as JsonNumber).text;
}

const ROPE_ITEMS_MAX = 64;

/** Matches short texts without characters that need an escape in JSON. */
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

/** Returns a text as a JSON string. */
export function quoteJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
