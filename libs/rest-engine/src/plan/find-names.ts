import { nearestNames } from '@rowhouse/errors';
import type { CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';

/** "Did you mean a or b?", from names that the rights show. */
function hintNearest(name: string, known: readonly string[]): string | null {
  const near = nearestNames(name, known);
  return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`;
}

/** The same for one of the faults of a request, as long as one more hint helps anybody. */
export function hintFor(faults: FaultList, name: string, known: () => readonly string[]): string | null {
  return faults.wantsHint() ? hintNearest(name, known()) : null;
}

export function visibleColumnNames(table: CompiledTable): string[] {
  return table.columns.filter((column) => !column.hidden).map((column) => column.name);
}

export function relationshipNames(table: CompiledTable): string[] {
  return table.relationships.map((relationship) => relationship.name);
}
