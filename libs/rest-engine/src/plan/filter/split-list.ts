import { parseJson } from '../../request/parse-json.js';
import { isJsonArray, isJsonNumber } from '../../request/json-value.js';
import { AppError } from '@rowhouse/errors';

/**
 * Splits a list of values. The text is a comma-separated list with quotes as in RFC 4180, or a JSON array of
 * strings, numbers and booleans. Returns null for any other text. Reading stops after more than `itemsMax`
 * items, because the text may contain millions.
 */
export function splitList(text: string, itemsMax: number): string[] | null {
  return text.startsWith('[') ? readJsonList(text, itemsMax) : readCommaList(text, itemsMax);
}

function readJsonList(text: string, itemsMax: number): string[] | null {
  const value = parseQuietly(text, itemsMax);
  if (value === null || !isJsonArray(value)) return null;
  const items: string[] = [];
  for (const item of value) {
    if (typeof item === 'string') items.push(item);
    else if (typeof item === 'boolean') items.push(String(item));
    else if (isJsonNumber(item)) items.push(item.text);
    else return null;
  }
  return items;
}

function parseQuietly(text: string, itemsMax: number): ReturnType<typeof parseJson> {
  try {
    // The array counts as one value in addition to its items.
    return parseJson(text, { values: itemsMax + 1 });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults?.[0]?.type === 'too_many_values'
      ? Array.from({ length: itemsMax + 1 }, () => '')
      : null;
  }
}

function readCommaList(text: string, itemsMax: number): string[] | null {
  if (text === '') return [];
  const items: string[] = [];
  let index = 0;
  for (;;) {
    const item = text[index] === '"' ? readQuoted(text, index) : readPlain(text, index);
    if (item === null) return null;
    items.push(item.value);
    if (item.end === text.length || items.length > itemsMax) return items;
    if (text[item.end] !== ',') return null;
    index = item.end + 1;
  }
}

function readPlain(text: string, start: number): { value: string; end: number } {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  return { value: text.slice(start, end), end };
}

/** Reads a value in quotes. A quote inside the value is doubled. */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = '';
  let index = start + 1;
  for (;;) {
    const end = text.indexOf('"', index);
    if (end < 0) return null;
    value += text.slice(index, end);
    if (text[end + 1] !== '"') return { value, end: end + 1 };
    value += '"';
    index = end + 2;
  }
}
