import type { Column } from './types.js';

/** The largest number of bits for which every integer is exact as a double. */
export const DOUBLE_BITS = 53;

/** Returns whether the column may hold integers that a double cannot represent exactly. */
export function isWide(column: Pick<Column, 'valueKind' | 'type' | 'precision'>): boolean {
  return (
    (column.valueKind === 'integer' && column.type === 'bigint') ||
    (column.valueKind === 'bit' && (column.precision ?? 64) > DOUBLE_BITS)
  );
}
