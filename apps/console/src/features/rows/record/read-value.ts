import type { ColumnView } from '../../../data/schema/read-tables.js';
import { parseExactJson } from '../../../data/gateway/exact-json.js';
import { kindOf } from '../../../data/rows/column-kinds.js';

/**
 * The value of a typed text in the form that the data API accepts, or the reason why the text is invalid. The
 * server validates the value again.
 */
export type TypedValue =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly fault: string };

/**
 * Parses typed text as a value of the column. An empty text is an empty string in a text column, and NULL in
 * any other column.
 */
export function readValue(column: ColumnView, text: string): TypedValue {
  const kind = kindOf(column);
  if (kind === 'text' || kind === 'long') return take(text);
  const trimmed = text.trim();
  if (trimmed === '' && kind !== 'enum' && kind !== 'set')
    return column.nullable ? take(null) : reject(`${column.name} is required.`);
  if (kind === 'number')
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)
      ? take(trimmed.replace(/^\+/, ''))
      : reject('Enter a number.');
  if (kind === 'bool') return readFlag(trimmed);
  if (kind === 'json') return readJson(trimmed);
  if (kind === 'set') return take(trimmed === '' ? [] : trimmed.split(',').map((label) => label.trim()));
  if (kind === 'enum')
    return column.labels?.includes(text) === false
      ? reject(`Choose one of: ${column.labels.join(', ')}.`)
      : take(text);
  if (kind === 'binary')
    return /^[A-Za-z0-9+/\s]*={0,2}$/.test(trimmed)
      ? take(trimmed.replaceAll(/\s/g, ''))
      : reject('Enter the value as base64.');
  return take(trimmed);
}

function readFlag(text: string): TypedValue {
  if (/^(true|t|yes|y|1)$/i.test(text)) return take(true);
  if (/^(false|f|no|n|0)$/i.test(text)) return take(false);
  return reject('Enter true or false.');
}

function readJson(text: string): TypedValue {
  try {
    return take(parseExactJson(text));
  } catch (error) {
    return reject(`Not valid JSON: ${error instanceof Error ? error.message : 'it ends early'}.`);
  }
}

function take(value: unknown): TypedValue {
  return { kind: 'value', value };
}

function reject(fault: string): TypedValue {
  return { kind: 'fault', fault };
}
