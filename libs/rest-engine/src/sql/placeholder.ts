import type { CompiledColumn } from '@rowhouse/schema-model';
import type { BoundValue } from './statement.js';

/** `?` for a value that is written to `column`. */
export function writePlaceholder(column: CompiledColumn): string {
  // A text or a double bound to BIT is taken for its bytes.
  if (column.type === 'bit') return 'CAST(? AS UNSIGNED)';
  return column.valueKind === 'geometry' ? 'ST_GeomFromGeoJSON(?)' : '?';
}

/** `?` for a value that `column` is compared with or added to. Exact numbers as text would be compared as doubles. */
export function comparePlaceholder(column: CompiledColumn, value: BoundValue): string {
  if (column.type === 'bit') return 'CAST(? AS UNSIGNED)';
  if (column.valueKind !== 'decimal') return '?';
  const point = typeof value === 'string' ? value.indexOf('.') : -1;
  const scale = Math.max(column.scale ?? 0, point < 0 || typeof value !== 'string' ? 0 : value.length - point - 1);
  return `CAST(? AS DECIMAL(65,${scale}))`;
}

/** `values` followed by its last one until there are as many as a power of two: few statement texts serve all lengths. */
export function padToPowerOfTwo<T>(values: readonly T[]): T[] {
  const padded = [...values];
  const last = values.at(-1);
  if (last === undefined) return padded;
  let size = 1;
  while (size < values.length) size *= 2;
  while (padded.length < size) padded.push(last);
  return padded;
}
