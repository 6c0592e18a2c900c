import type { Column } from './types.js';

/** The number of bits of each integer type, by its base type. */
export const INTEGER_BITS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  integer: 32,
  bigint: 64,
};

/** Returns the smallest and the largest number that an integer column can hold. */
export function integerRange(column: Pick<Column, 'type' | 'unsigned'>): { low: bigint; high: bigint } {
  const bits = BigInt(INTEGER_BITS[column.type] ?? 64);
  if (column.unsigned) return { low: 0n, high: 2n ** bits - 1n };
  return { low: -(2n ** (bits - 1n)), high: 2n ** (bits - 1n) - 1n };
}
