import type { Column } from './types.js';

/** The most bits of an integer that every double holds. */
export const DOUBLE_BITS = 53;

/** Whether doubles do not hold every integer of the column. */
export function isWide(column: Pick<Column, 'valueKind' | 'type' | 'precision'>): boolean {
  return (column.valueKind === 'integer' && column.type === 'bigint') || (column.valueKind === 'bit' && (column.precision ?? 64) > DOUBLE_BITS);
}
