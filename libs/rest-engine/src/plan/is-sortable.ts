import type { CompiledColumn } from '@rowhouse/schema-model';

const UNSORTABLE = new Set(['json', 'geometry', 'vector', 'binary']);

/** Reports whether lists may be sorted by the column. */
export function isSortable(column: CompiledColumn): boolean {
  return !UNSORTABLE.has(column.valueKind);
}
