import { isExactNumber } from '../gateway/exact-json.js';

/** The beginning of a value that was not read whole. `length`: of all of it, in characters or bytes. */
export class CutValue {
  constructor(
    readonly start: string,
    readonly length: number,
    readonly unit: 'characters' | 'bytes',
  ) {}
}

/** Not read yet. */
export const UNREAD: unique symbol = Symbol('unread');

/** A value as one line of text, for cells, copies and comparing. NULL and what is not there is the empty text. */
export function toCellText(value: unknown): string {
  if (value === null || value === undefined || value === UNREAD) return '';
  if (value instanceof CutValue) return value.start;
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Bytes in words: `12 bytes`, `3.4 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1).replace(/\.0$/, '')} ${units[power - 1] ?? ''}`;
}

/** How many bytes base64 text stands for. */
export function countBase64Bytes(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4);
}
