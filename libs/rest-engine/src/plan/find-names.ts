import { nearestNames } from '@rowhouse/errors';
import { findAlike, type CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';

/** Returns "Did you mean a or b?" with the nearest visible names. */
export function hintNearest(name: string, known: readonly string[]): string | null {
  const similarNames = nearestNames(name, known);
  return similarNames.length === 0 ? null : `Did you mean ${similarNames.join(' or ')}?`;
}

/** Describes the fault of an unknown relationship name, with suggestions. */
export function unknownRelationship(
  faults: FaultList,
  table: CompiledTable,
  name: string,
): { readonly msg: string; readonly type: string; readonly hint: string | null } {
  const alike = findAlike(name, table.relationships).map((relationship) => relationship.name);
  if (alike.length > 1)
    return {
      msg: `${JSON.stringify(name)} may be more than one relationship of ${table.name}.`,
      type: 'ambiguous_relationship',
      hint: `Did you mean ${alike.join(' or ')}?`,
    };
  return {
    msg: `${table.name} has no relationship ${JSON.stringify(name)}.`,
    type: 'unknown_relationship',
    hint: hintFor(faults, name, () => relationshipNames(table)),
  };
}

/** Returns a suggestion for one fault of a request, while the number of suggestions is below the limit. */
export function hintFor(faults: FaultList, name: string, known: () => readonly string[]): string | null {
  return faults.wantsHint() ? hintNearest(name, known()) : null;
}

const NAMES_LISTED = 20;

/**
 * Returns the nearest column names. Without near names, it lists the existing ones, because `username` cannot
 * be guessed from `name`. `others` are further candidates.
 */
export function hintColumn(
  faults: FaultList,
  name: string,
  table: CompiledTable,
  others: Iterable<string> = [],
): string | null {
  if (!faults.wantsHint()) return null;
  const names = visibleColumnNames(table);
  return (
    hintNearest(name, [...others, ...names]) ??
    `${table.name} has ${names.slice(0, NAMES_LISTED).join(', ')}${names.length > NAMES_LISTED ? ', …' : ''}.`
  );
}

export function visibleColumnNames(table: CompiledTable): string[] {
  return table.columns.filter((column) => !column.hidden).map((column) => column.name);
}

export function relationshipNames(table: CompiledTable): string[] {
  return table.relationships.map((relationship) => relationship.name);
}
