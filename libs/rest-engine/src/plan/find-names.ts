import { nearestNames } from '@rowhouse/errors';
import type { CompiledTable } from '@rowhouse/schema-model';

/** "Did you mean a or b?", from names that the rights show. */
export function hintNearest(name: string, known: readonly string[]): string | null {
  const near = nearestNames(name, known);
  return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`;
}

export function visibleColumnNames(table: CompiledTable): string[] {
  return table.columns.filter((column) => !column.hidden).map((column) => column.name);
}

export function relationshipNames(table: CompiledTable): string[] {
  return table.relationships.map((relationship) => relationship.name);
}
