import type { Column } from './types.js';

/**
 * Returns whether the service generates a value when a create omits the column. It does for a column named
 * `uuid` that can hold a UUID and would otherwise stay empty.
 */
export function isFilledUuid(
  column: Pick<Column, 'name' | 'generated' | 'default' | 'valueKind' | 'maxLength'>,
): boolean {
  if (column.name !== 'uuid' || column.generated !== null) return false;
  if (column.default.kind !== 'none' && column.default.kind !== 'null') return false;
  return column.valueKind === 'uuid' || (column.valueKind === 'string' && column.maxLength === 36);
}
