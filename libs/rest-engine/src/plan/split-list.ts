import { parseJson } from '../request/parse-json.js';
import { isJsonArray, isJsonNumber } from '../request/json-kind.js';
import { AppError } from '@rowhouse/errors';

/** A comma list with RFC 4180 quotes, or a JSON array of strings, numbers and booleans; null where it is neither. */
export function splitList(text: string): string[] | null {
  return text.startsWith('[') ? readJsonList(text) : readCommaList(text);
}

function readJsonList(text: string): string[] | null {
  const value = parseQuietly(text);
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

function parseQuietly(text: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (thrown instanceof AppError) return null;
    throw thrown;
  }
}

function readCommaList(text: string): string[] | null {
  if (text === '') return [];
  const items: string[] = [];
  let at = 0;
  for (;;) {
    const item = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    if (item === null) return null;
    items.push(item.value);
    if (item.end === text.length) return items;
    if (text[item.end] !== ',') return null;
    at = item.end + 1;
  }
}

function readPlain(text: string, start: number): { value: string; end: number } {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  return { value: text.slice(start, end), end };
}

/** A quote inside is doubled. */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = '';
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return null;
    value += text.slice(at, end);
    if (text[end + 1] !== '"') return { value, end: end + 1 };
    value += '"';
    at = end + 2;
  }
}
