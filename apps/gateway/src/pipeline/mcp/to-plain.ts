import { isJsonObject, type JsonNumber, type JsonValue } from '@rowhouse/rest-engine';

/** Digits that a double surely keeps. */
const SURE_DIGITS = 15;

/** For programs, whose JSON numbers are doubles: a number that one cannot hold is its digits as a string. */
export function toPlain(value: JsonValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => toPlain(item));
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]));
  return toDouble((value as JsonNumber).text);
}

function toDouble(text: string): number | string {
  const number = Number(text);
  if (Number.isSafeInteger(number) && /^-?\d+$/.test(text)) return number;
  const digits = text.replace(/[eE].*$/, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return Number.isFinite(number) && digits.length <= SURE_DIGITS ? number : text;
}
