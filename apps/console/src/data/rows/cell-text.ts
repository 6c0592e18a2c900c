import { isExactNumber } from '../gateway/exact-json.js';

/** A record of the data API. A scalar is a JSON value, and a large number is a string. */
export type Row = Readonly<Record<string, unknown>>;

/** A value whose beginning is loaded. `length` is its full length in characters or bytes. */
export class CutValue {
  constructor(
    readonly start: string,
    readonly length: number,
    readonly unit: 'characters' | 'bytes',
  ) {}
}

/** Marks a value that is not loaded yet. */
export const UNREAD: unique symbol = Symbol('unread');

/**
 * Returns a value as one line of text for cells, copies and comparisons. NULL and missing values are empty.
 */
export function toCellText(value: unknown): string {
  if (value === null || value === undefined || value === UNREAD) return '';
  if (value instanceof CutValue) return value.start;
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Formats a number of bytes, such as `12 bytes` or `3.4 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1).replace(/\.0$/, '')} ${units[power - 1] ?? ''}`;
}

/** Returns the number of bytes that base64 text represents. */
export function countBase64Bytes(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4);
}

/**
 * Returns cells in the clipboard format of spreadsheets. A cell that contains a tab or a line break is quoted,
 * and so is a cell that starts with a quote.
 */
export function writeTsv(lines: readonly (readonly string[])[]): string {
  const quote = (text: string): string =>
    /^"|[\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const text = lines.map((cells) => cells.map(quote).join('\t')).join('\n');
  // Readers ignore one line break at the end, so the line of an empty cell needs its own.
  return text.endsWith('\n') ? `${text}\n` : text;
}

/**
 * Returns a record's key from a URL in readable form, such as `7` or `a b,2`. A URL that a user typed may
 * contain invalid escapes.
 */
export function toRecordLabel(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
