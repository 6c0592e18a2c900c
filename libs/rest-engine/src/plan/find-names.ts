import { nearestNames } from '@rowhouse/errors';
import {
  findAlike,
  type CompiledColumn,
  type CompiledRelationship,
  type CompiledTable,
} from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';

/**
 * Returns a hint such as "Did you mean a or b?" with the most similar visible names. Returns null if no name
 * is similar.
 */
export function hintNearest(name: string, known: readonly string[]): string | null {
  const similarNames = nearestNames(name, known);
  return similarNames.length === 0 ? null : `Did you mean ${similarNames.join(' or ')}?`;
}

/** A fault of a name in a request. */
export interface NameFault {
  readonly msg: string;
  readonly type: string;
  readonly hint: string | null;
}

/** A column and the to-one relationships that lead to it. */
export interface ColumnPath {
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
}

interface ColumnPathFaults {
  readonly faults: FaultList;
  readonly describeToMany: (step: CompiledRelationship) => NameFault;
  readonly hintColumn: (name: string, table: CompiledTable) => string | null;
}

/**
 * Finds a column at the end of a path of to-one relationships. If a name of the path cannot be used, returns
 * the fault of the first such name.
 */
export function findColumnPath(
  table: CompiledTable,
  names: readonly string[],
  { faults, describeToMany, hintColumn: hint }: ColumnPathFaults,
): ColumnPath | NameFault {
  const path: CompiledRelationship[] = [];
  let source = table;
  for (const name of names.slice(0, -1)) {
    const step = source.findRelationship(name);
    if (step === null) return unknownRelationship(faults, source, name);
    if (step.kind !== 'to_one') return describeToMany(step);
    path.push(step);
    source = step.target;
  }
  const last = names.at(-1) ?? '';
  const column = source.findColumn(last);
  if (column !== null) return { path, column };
  const msg = `${source.name} has no column ${JSON.stringify(last)}.`;
  return { msg, type: 'unknown_column', hint: hint(last, source) };
}

/** Returns the fault for an unknown relationship name, with similar names as suggestions. */
export function unknownRelationship(faults: FaultList, table: CompiledTable, name: string): NameFault {
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

/** Returns a hint for one fault of a request. Returns null after the maximum number of hints. */
export function hintFor(faults: FaultList, name: string, known: () => readonly string[]): string | null {
  return faults.wantsHint() ? hintNearest(name, known()) : null;
}

const NAMES_LISTED = 20;

/**
 * Returns a hint with the most similar column names. If no name is similar, the hint lists the existing
 * columns, because a caller who wrote `username` cannot guess `name`. `others` contains further names that
 * may be meant.
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
