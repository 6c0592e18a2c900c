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

/** Reads cells in the clipboard format of spreadsheets, as `writeTsv` writes them. */
export function readTsv(text: string): string[][] {
  const source = text.replace(/\r?\n$/, '');
  const separator = /\t|\r?\n|$/g;
  const lines: string[][] = [];
  let [cells, start] = [[] as string[], 0];
  for (;;) {
    const quoted = readQuoted(source, start);
    separator.lastIndex = quoted?.end ?? start;
    const { 0: found, index } = separator.exec(source) as RegExpExecArray;
    cells.push(quoted?.cell ?? source.slice(start, index));
    start = index + found.length;
    if (found === '\t') continue;
    lines.push(cells);
    if (found === '') return lines;
    cells = [];
  }
}

/**
 * Reads a quoted cell. Returns null for a plain cell. Spreadsheets quote only cells with special characters,
 * so the quotes of `"a"` belong to the value.
 */
function readQuoted(text: string, start: number): { readonly cell: string; readonly end: number } | null {
  if (text[start] !== '"') return null;
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || !/^(?:\t|\r?\n|$)/.test(text.slice(close + 1, close + 3))) return null;
  const inner = text.slice(start + 1, close);
  return /[\t\n\r]|""/.test(inner) ? { cell: inner.replaceAll('""', '"'), end: close + 1 } : null;
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
