import type { CompiledColumn } from '@rowhouse/schema-model';
import { paddedLength, type BoundValue } from '../values/cell.js';

/**
 * The placeholder for an unsigned integer of up to 64 bits in digits. A text bound to a BIT column would be
 * interpreted as bytes. On one engine, a text cast to UNSIGNED is limited to 2^63 - 1. A double has too few
 * digits.
 */
export const BITS_PLACEHOLDER = 'CAST(? AS DECIMAL(20,0))';

/** Returns the placeholder for a value that is written to `column`. */
export function writePlaceholder(column: CompiledColumn): string {
  if (column.type === 'bit') return BITS_PLACEHOLDER;
  if (column.valueKind !== 'geometry') return '?';
  return column.srid === null ? 'ST_GeomFromGeoJSON(?)' : `ST_GeomFromGeoJSON(?, 1, ${column.srid})`;
}

/**
 * Returns the placeholder for a value that is compared with `column` or added to it. The server would compare
 * an exact number sent as text as a double.
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

/**
 * Repeats the last value until the number of values is a power of two, so that few different statement texts
 * are needed.
 */
export function padToPowerOfTwo<T>(values: readonly T[]): T[] {
  const padded = [...values];
  const last = values.at(-1);
  if (last === undefined) return padded;
  const size = paddedLength(values.length);
  while (padded.length < size) padded.push(last);
  return padded;
}
