import type { CompiledColumn } from '@rowhouse/schema-model';

/**
 * The number of bytes of a sort key that the servers compare (`max_sort_length`). ORDER BY considers longer
 * values with the same beginning equal.
 */
const SORT_BYTES_MAX = 1024;
const UNORDERED = new Set(['json', 'geometry', 'vector']);

/** Reports whether ORDER BY distinguishes the same values as `=`. */
export function isSortedExactly({ valueKind, maxLength, collation, charset }: CompiledColumn): boolean {
  if (UNORDERED.has(valueKind)) return false;
  if (valueKind === 'binary') return (maxLength ?? Number.POSITIVE_INFINITY) <= SORT_BYTES_MAX;
  // MySQL does not truncate sort keys of collations without padding.
  if (valueKind !== 'string' || collation?.includes('_0900_') === true) return true;
  return (
    (maxLength ?? Number.POSITIVE_INFINITY) * weightBytes(collation ?? '', charset ?? 'utf8mb4') <=
    SORT_BYTES_MAX
  );
}

/** Returns the number of bytes that one character takes in a sort key. */
function weightBytes(collation: string, charset: string): number {
  if (charset === 'latin1' || charset === 'ascii') return 1;
  if (collation.endsWith('_general_ci')) return 2;
  return collation.endsWith('_bin') ? 3 : 4;
}
