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

const NAMES_TOLD = 20;

/** The nearest columns, or those that there are: nobody who writes `name` for `username` guesses it. `others` may be meant as well. */
export function hintColumn(faults: FaultList, name: string, table: CompiledTable, others: Iterable<string> = []): string | null {
  if (!faults.wantsHint()) return null;
  const names = visibleColumnNames(table);
  return hintNearest(name, [...others, ...names]) ?? `${table.name} has ${names.slice(0, NAMES_TOLD).join(', ')}${names.length > NAMES_TOLD ? ', …' : ''}.`;
}

export function visibleColumnNames(table: CompiledTable): string[] {
  return table.columns.filter((column) => !column.hidden).map((column) => column.name);
}

export function relationshipNames(table: CompiledTable): string[] {
  return table.relationships.map((relationship) => relationship.name);
}
