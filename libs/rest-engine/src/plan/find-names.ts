import { nearestNames } from '@rowhouse/errors';
import { findAlike, type CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';

/** "Did you mean a or b?", from names that the rights show. */
export function hintNearest(name: string, known: readonly string[]): string | null {
  const near = nearestNames(name, known);
  return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`;
}

/** What is wrong with a name that `findRelationship` does not find, and the names that may be meant. */
export function unknownRelationship(faults: FaultList, table: CompiledTable, name: string): { readonly msg: string; readonly type: string; readonly hint: string | null } {
  const alike = findAlike(name, table.relationships).map((relationship) => relationship.name);
  if (alike.length > 1) return { msg: `${JSON.stringify(name)} may be more than one relationship of ${table.name}.`, type: 'ambiguous_relationship', hint: `Did you mean ${alike.join(' or ')}?` };
  return { msg: `${table.name} has no relationship ${JSON.stringify(name)}.`, type: 'unknown_relationship', hint: hintFor(faults, name, () => relationshipNames(table)) };
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
