import type { Column } from './types.js';

/** A column called `uuid` that holds one and would otherwise stay empty: the service fills it when a create leaves it out. */
export function isFilledUuid(column: Pick<Column, 'name' | 'generated' | 'default' | 'valueKind' | 'maxLength'>): boolean {
  if (column.name !== 'uuid' || column.generated !== null) return false;
  if (column.default.kind !== 'none' && column.default.kind !== 'null') return false;
  return column.valueKind === 'uuid' || (column.valueKind === 'string' && column.maxLength === 36);
}
