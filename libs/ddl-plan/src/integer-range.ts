import type { Column } from '@rowhouse/schema-model';

const INTEGER_BITS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32, bigint: 64 };

export function integerRange(column: Pick<Column, 'type' | 'unsigned'>): { low: bigint; high: bigint } {
  const bits = BigInt(INTEGER_BITS[column.type] ?? 64);
  if (column.unsigned) return { low: 0n, high: 2n ** bits - 1n };
  return { low: -(2n ** (bits - 1n)), high: 2n ** (bits - 1n) - 1n };
}
