import type { CompiledColumn } from '@rowhouse/schema-model';
import type { BoundValue } from './statement.js';

/**
 * `?` for digits up to 2^64 - 1. A text bound to BIT is taken for its bytes, a text cast to UNSIGNED stops at 2^63 - 1
 * on one engine, and a double has not the digits.
 */
export const BITS_PLACEHOLDER = 'CAST(? AS DECIMAL(20,0))';

/** `?` for a value that is written to `column`. */
export function writePlaceholder(column: CompiledColumn): string {
  if (column.type === 'bit') return BITS_PLACEHOLDER;
  if (column.valueKind !== 'geometry') return '?';
  return column.srid === null ? 'ST_GeomFromGeoJSON(?)' : `ST_GeomFromGeoJSON(?, 1, ${column.srid})`;
}

/** `?` for a value that `column` is compared with or added to. Exact numbers as text would be compared as doubles. */
export function comparePlaceholder(column: CompiledColumn, value: BoundValue): string {
  if (column.type === 'bit') return BITS_PLACEHOLDER;
  if (column.valueKind !== 'decimal') return '?';
  const point = typeof value === 'string' ? value.indexOf('.') : -1;
  const scale = Math.max(column.scale ?? 0, point < 0 || typeof value !== 'string' ? 0 : value.length - point - 1);
  return `CAST(? AS DECIMAL(65,${scale}))`;
}

/** The next power of two. */
export function paddedLength(length: number): number {
  let size = 1;
  while (size < length) size *= 2;
  return size;
}

/** `values` followed by its last one until there are as many as a power of two: few statement texts serve all lengths. */
export function padToPowerOfTwo<T>(values: readonly T[]): T[] {
  const padded = [...values];
  const last = values.at(-1);
  if (last === undefined) return padded;
  const size = paddedLength(values.length);
  while (padded.length < size) padded.push(last);
  return padded;
}
