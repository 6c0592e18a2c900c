import type { Column } from './types.js';

/** Widths of the integer types, in bits, by the base type. */
export const INTEGER_BITS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, integer: 32, bigint: 64 };

/** The least and the greatest number that an integer column holds. */
export function integerRange(column: Pick<Column, 'type' | 'unsigned'>): { low: bigint; high: bigint } {
  const bits = BigInt(INTEGER_BITS[column.type] ?? 64);
  if (column.unsigned) return { low: 0n, high: 2n ** bits - 1n };
  return { low: -(2n ** (bits - 1n)), high: 2n ** (bits - 1n) - 1n };
}
