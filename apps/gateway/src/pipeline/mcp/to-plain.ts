import { isJsonObject, type JsonNumber, type JsonValue } from '@rowhouse/rest-engine';

/** The number of digits that a double always preserves. */
const SURE_DIGITS = 15;

/**
 * Converts a value for clients whose JSON numbers are doubles. A number that a double cannot represent
 * becomes a string with its digits.
 */
export function toPlain(value: JsonValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => toPlain(item));
  if (isJsonObject(value))
    return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
  return toDouble((value as JsonNumber).text);
}

function toDouble(text: string): number | string {
  const number = Number(text);
  if (Number.isSafeInteger(number) && /^-?\d+$/.test(text)) return number;
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  return Number.isFinite(number) && digits.length <= SURE_DIGITS ? number : text;
}
