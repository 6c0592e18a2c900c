import type { CompiledColumn } from '@rowhouse/schema-model';
import type { BoundValue, Cell } from './cell.js';

/**
 * A placeholder for digits up to 2^64 - 1. A text bound to BIT would be interpreted as bytes. A text cast to
 * UNSIGNED is limited to 2^63 - 1 on one engine. A double has too few digits.
 */
export const BITS_PLACEHOLDER = 'CAST(? AS DECIMAL(20,0))';

/** Returns the placeholder for writing a value to `column`. */
export function writePlaceholder(column: CompiledColumn): string {
  if (column.type === 'bit') return BITS_PLACEHOLDER;
  if (column.valueKind !== 'geometry') return '?';
  return column.srid === null ? 'ST_GeomFromGeoJSON(?)' : `ST_GeomFromGeoJSON(?, 1, ${column.srid})`;
}

/**
 * Returns the placeholder for comparing a value with `column` or adding it. Exact numbers sent as text would
 * be compared as doubles.
 */
export function comparePlaceholder(column: CompiledColumn, value: BoundValue): string {
  if (column.type === 'bit') return BITS_PLACEHOLDER;
  if (column.valueKind !== 'decimal') return '?';
  const point = typeof value === 'string' ? value.indexOf('.') : -1;
  const scale = Math.max(
    column.scale ?? 0,
    point < 0 || typeof value !== 'string' ? 0 : value.length - point - 1,
  );
  return `CAST(? AS DECIMAL(65,${scale}))`;
}

/** Returns the smallest power of two that is at least `length`. */
export function paddedLength(length: number): number {
  let size = 1;
  while (size < length) size *= 2;
  return size;
}

/**
 * Repeats the last value until the length is a power of two, so that few statement texts serve all lengths.
 */
export function padToPowerOfTwo<T>(values: readonly T[]): T[] {
  const padded = [...values];
  const last = values.at(-1);
  if (last === undefined) return padded;
  const size = paddedLength(values.length);
  while (padded.length < size) padded.push(last);
  return padded;
}

/** Converts a cell of `column` to a bound value, to find its record or the records that refer to it. */
export function bindCell(cell: Cell, column: CompiledColumn | undefined): BoundValue {
  if (cell === null) return null;
  if (cell instanceof Uint8Array) return column?.type === 'bit' ? bitsToText(cell) : cell;
  // The text 0 would mean the year 2000.
  if (column?.valueKind === 'year') return String(cell).padStart(4, '0');
  return String(cell);
}

/** Returns the bytes of a BIT value, most significant first, as decimal digits. */
export function bitsToText(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value.toString();
}
