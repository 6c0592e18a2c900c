import type { CompiledColumn } from '@rowhouse/schema-model';

/** Bytes of a sort key that the engines compare (`max_sort_length`): longer values that begin alike are equal to ORDER BY. */
const SORT_BYTES_MAX = 1024;
const UNORDERED = new Set(['json', 'geometry', 'vector']);

/** Whether ORDER BY tells apart all values of the column that `=` tells apart. */
export function isSortedExactly({ valueKind, maxLength, collation, charset }: CompiledColumn): boolean {
  if (UNORDERED.has(valueKind)) return false;
  if (valueKind === 'binary') return (maxLength ?? Number.POSITIVE_INFINITY) <= SORT_BYTES_MAX;
  // MySQL cuts no sort key of a collation without padding.
  if (valueKind !== 'string' || collation?.includes('_0900_') === true) return true;
  return (maxLength ?? Number.POSITIVE_INFINITY) * weightBytes(collation ?? '', charset ?? 'utf8mb4') <= SORT_BYTES_MAX;
}

/** Bytes that one character takes in a sort key. */
function weightBytes(collation: string, charset: string): number {
  if (charset === 'latin1' || charset === 'ascii') return 1;
  if (collation.endsWith('_general_ci')) return 2;
  return collation.endsWith('_bin') ? 3 : 4;
}
