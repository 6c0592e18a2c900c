import type { CompiledColumn } from '@rowhouse/schema-model';
import { placeColumn, type SelectList } from './select-list.js';

/**
 * Returns the columns of distinct rows. A boolean is reduced to its truth value, because numbers other than 1
 * are also true.
 */
export function distinctList(select: readonly CompiledColumn[]): SelectList {
  const expressions = select.map((column) =>
    isTruth(column) ? `(${column.quoted} <> 0) AS ${aliasOf(column)}` : placeColumn({ alias: '', column }),
  );
  const columns = select.map((column) => ({
    name: column.name,
    kind: column.valueKind,
    isOutput: true,
    column: isTruth(column) ? null : column,
  }));
  return { expressions, text: expressions.join(', '), params: [], shape: { columns, keys: [] } };
}

/** Returns the expression by which distinct rows are sorted. */
export function distinctName(column: CompiledColumn): string {
  return isTruth(column) ? aliasOf(column) : column.quoted;
}

function isTruth(column: CompiledColumn): boolean {
  return column.valueKind === 'boolean';
}

function aliasOf(column: CompiledColumn): string {
  return `truth_${column.position}`;
}
