import type { FaultLocation } from '@rowhouse/errors';
import {
  isFilledUuid,
  type CompiledColumn,
  type CompiledRelationship,
  type CompiledTable,
} from '@rowhouse/schema-model';
import { isJsonArray, isJsonObject, nameJsonKind } from '../../../request/json-value.js';
import type { JsonObject, JsonValue } from '../../../request/json-value.js';
import { readMember, readObject } from '../plan-body.js';
import { requireIfMatch } from '../record-target.js';
import { INCLUDE_DEPTH_MAX } from '../../list/plan-include.js';
import { planRow } from '../plan-row.js';
import type { KeyPart, RowValues } from '../../plan-parts.js';
import type { NestedBranch, NestedDraft } from './nested-draft.js';
import type { NestedFill } from './nested-plan.js';

/** The position of a record in the body of a nested write. */
export interface RecordLocation {
  readonly table: CompiledTable;
  readonly loc: FaultLocation;
  /** The values that the parent record assigns to this record. */
  readonly given: PresetValues;
  /** 0 for a record at the top level of the body. */
  readonly depth: number;
  readonly branches: Map<string, NestedBranch>;
}

/**
 * The values of columns that a relationship sets. Each is either known, or taken from the row of another
 * step.
 */
export interface PresetValues {
  readonly values: RowValues;
  readonly fills: readonly NestedFill[];
}

export const NOTHING_GIVEN: PresetValues = { values: [], fills: [] };

export interface RelatedMember {
  readonly relationship: CompiledRelationship;
  readonly value: JsonValue;
  readonly loc: FaultLocation;
}

/**
 * Adds the steps for one record and all records nested in it. Records that it refers to come first, then the
 * record itself, then records that refer to it. Returns the index of the record's own step, or null after
 * adding a fault.
 */
export function planRecord(draft: NestedDraft, location: RecordLocation, body: JsonValue): number | null {
  const { table, loc } = location;
  const object = readObject(body, loc, draft.faults);
  if (object === null) return null;
  const { own, related } = splitMembers(table, object, loc);
  if (related.length > 0 && location.depth === INCLUDE_DEPTH_MAX) {
    draft.faults.add(
      related[0]?.loc ?? loc,
      `Related records can be nested at most ${INCLUDE_DEPTH_MAX} deep.`,
      'too_deep',
    );
    return null;
  }
  let presets = withoutNamed(draft, location.given, own, loc);
  for (const member of related)
    if (member.relationship.kind === 'to_one') presets = planParent(draft, location, member, presets, own);
  const filled = columnsOf(presets);
  const values = planRow(table, own, loc, draft.options, draft.faults, { filled, noteRelated: null });
  const step = draft.add({
    kind: 'insert',
    table,
    loc,
    values: [...values, ...presets.values],
    fills: presets.fills,
  });
  for (const member of related) {
    if (member.relationship.kind === 'to_many') planChildren(draft, location, member, step);
    else if (member.relationship.kind === 'many_to_many') planLinked(draft, location, member, step);
  }
  return step;
}

/**
 * Separates the members of a record into columns and relationships. If a column and a relationship have the
 * same name, the member is the column.
 */
export function splitMembers(
  table: CompiledTable,
  object: JsonObject,
  loc: FaultLocation,
): { own: Map<string, JsonValue>; related: RelatedMember[] } {
  const own = new Map<string, JsonValue>();
  const related: RelatedMember[] = [];
  for (const [name, value] of object) {
    const relationship = table.findWritable(name) === null ? table.findRelationship(name) : null;
    if (relationship === null) own.set(name, value);
    else related.push({ relationship, value, loc: [...loc, name] });
  }
  return { own, related };
}

function columnsOf({ values, fills }: PresetValues): Set<CompiledColumn> {
  return new Set([...values, ...fills].map((entry) => entry.column));
}

/**
 * Removes the preset columns that the body itself names. A body may name columns of a composite foreign key
 * if the relationship still sets at least one of its columns.
 */
function withoutNamed(
  draft: NestedDraft,
  presets: PresetValues,
  own: ReadonlyMap<string, JsonValue>,
  loc: FaultLocation,
): PresetValues {
  const isFree = ({ column }: { readonly column: CompiledColumn }): boolean => !own.has(column.name);
  const left = { values: presets.values.filter(isFree), fills: presets.fills.filter(isFree) };
  if (columnsOf(presets).size === 0 || columnsOf(left).size > 0) return left;
  for (const column of columnsOf(presets))
    draft.faults.add(
      [...loc, column.name],
      'The relationship sets this column. Omit it.',
      'set_by_relationship',
    );
  return presets;
}

/**
 * Combines the columns that two relationships set. A column that both set is included once, because the
 * foreign keys guarantee that both values are equal.
 */
function addGiven(presets: PresetValues, more: PresetValues): PresetValues {
  const taken = columnsOf(presets);
  const isFree = ({ column }: { readonly column: CompiledColumn }): boolean => !taken.has(column);
  return {
    values: [...presets.values, ...more.values.filter(isFree)],
    fills: [...presets.fills, ...more.fills.filter(isFree)],
  };
}

/**
 * Plans the record to which the current record refers in a to-one relationship. That record already exists or
 * is written first. A null member means that no record is related, as in responses.
 */
function planParent(
  draft: NestedDraft,
  location: RecordLocation,
  { relationship, value, loc }: RelatedMember,
  presets: PresetValues,
  own: ReadonlyMap<string, JsonValue>,
): PresetValues {
  if (value === null) return presets;
  const branch = draft.grow(location.branches, relationship);
  if (!isJsonObject(value)) {
    draft.faults.add(loc, `A to-one relationship needs an object, not ${nameJsonKind(value)}.`, 'dict_type');
    return presets;
  }
  const more = planTarget(draft, relationship, relationship.sourceColumns, value, {
    ...location,
    loc,
    branches: branch.branches,
  });
  if (more === null)
    return addGiven(presets, {
      values: relationship.sourceColumns.map((column) => ({ column, value: null })),
      fills: [],
    });
  const left = addGiven(presets, withoutNamed(draft, more, own, location.loc));
  if (columnsOf(left).size === columnsOf(presets).size)
    draft.faults.add(loc, 'Another relationship sets the same columns.', 'set_by_relationship');
  return left;
}

/**
 * Returns the values that let a foreign key refer to a record of the target table, which already exists or is
 * created by an earlier step. Returns null after adding a fault.
 */
export function planTarget(
  draft: NestedDraft,
  { target, targetColumns }: CompiledRelationship,
  columns: readonly CompiledColumn[],
  value: JsonValue,
  location: Omit<RecordLocation, 'table' | 'given'>,
): PresetValues | null {
  const key = isJsonObject(value) ? readLink(draft, target, value, location.loc) : null;
  const known = targetColumns.map((column) => key?.find((part) => part.column === column));
  if (key !== null && known.every((part) => part !== undefined))
    return {
      values: columns.map((column, index) => ({ column, value: known[index]?.value ?? null })),
      fills: [],
    };
  const step =
    key === null
      ? planRecord(
          draft,
          { ...location, table: target, given: NOTHING_GIVEN, depth: location.depth + 1 },
          value,
        )
      : draft.add({ kind: 'look_up', table: target, loc: location.loc, key });
  return step === null
    ? null
    : { values: [], fills: toFills(draft, target, location.loc, columns, step, targetColumns) };
}

export function planChildren(
  draft: NestedDraft,
  location: RecordLocation,
  { relationship, value, loc }: RelatedMember,
  parent: number,
): void {
  const { target, sourceColumns, targetColumns } = relationship;
  const { branches } = draft.grow(location.branches, relationship);
  const presets: PresetValues = {
    values: [],
    fills: toFills(draft, location.table, location.loc, targetColumns, parent, sourceColumns),
  };
  eachRecord(draft, value, loc, (child, here) => {
    const key = isJsonObject(child) ? readLink(draft, target, child, here) : null;
    if (key === null)
      planRecord(
        draft,
        { table: target, loc: here, given: presets, depth: location.depth + 1, branches },
        child,
      );
    else if (targetColumns.some((column) => target.rowKey?.includes(column)))
      draft.faults.add(
        here,
        `The key of ${target.name} contains its parent, so the parent cannot be changed.`,
        'key_changed',
      );
    else {
      requireIfMatch(
        target,
        null,
        draft.options,
        'Create the record first, then connect it with separate requests.',
      );
      draft.add({ kind: 'attach', table: target, loc: here, key, fills: presets.fills });
    }
  });
}

/**
 * Adds the steps for a many-to-many relationship, which insert one row of the link table for each related
 * record.
 */
export function planLinked(
  draft: NestedDraft,
  location: RecordLocation,
  { relationship, value, loc }: RelatedMember,
  parent: number,
): void {
  const { link, sourceColumns } = relationship;
  if (link === null) return;
  const { branches } = draft.grow(location.branches, relationship);
  const filled = new Set([...link.sourceColumns, ...link.targetColumns]);
  const lacking = link.table.columns
    .filter((column) => column.required && !filled.has(column) && !isFilledUuid(column))
    .map((column) => column.name);
  if (lacking.length > 0)
    return draft.faults.add(
      loc,
      `${link.table.name} also needs ${lacking.join(', ')}.`,
      'missing',
      `Write records of ${link.table.name} directly.`,
    );
  const source: PresetValues = {
    values: [],
    fills: toFills(draft, location.table, location.loc, link.sourceColumns, parent, sourceColumns),
  };
  eachRecord(draft, value, loc, (record, here) => {
    const target = planTarget(draft, relationship, link.targetColumns, record, {
      loc: here,
      depth: location.depth,
      branches,
    });
    if (target === null) return;
    const presets = addGiven(source, target);
    const values = planRow(link.table, new Map(), here, draft.options, draft.faults, {
      filled,
      noteRelated: null,
    });
    draft.add({
      kind: 'insert',
      table: link.table,
      loc: here,
      values: [...values, ...presets.values],
      fills: presets.fills,
    });
  });
  return undefined;
}

export function eachRecord(
  draft: NestedDraft,
  value: JsonValue,
  loc: FaultLocation,
  plan: (record: JsonValue, loc: FaultLocation) => void,
): void {
  if (!isJsonArray(value)) return plan(value, loc);
  for (const [index, record] of value.entries()) {
    if (draft.isFull() || draft.faults.isFull()) return;
    plan(record, [...loc, index]);
  }
}

/**
 * Parses a reference to an existing record, such as `{"<pk>": v}` with exactly the columns of the key.
 * Returns null for a record that must be created.
 */
export function readLink(
  draft: NestedDraft,
  target: CompiledTable,
  object: JsonObject,
  loc: FaultLocation,
): KeyPart[] | null {
  const { rowKey } = target;
  if (rowKey === null || object.size !== rowKey.length || !rowKey.every((column) => object.has(column.name)))
    return null;
  draft.link(target);
  return readKey(draft, rowKey, object, loc);
}

/** Parses the values of a key from an object that contains all of its columns. */
export function readKey(
  { options, faults }: NestedDraft,
  rowKey: readonly CompiledColumn[],
  object: JsonObject,
  loc: FaultLocation,
): KeyPart[] {
  return rowKey.map((column) => {
    const value = object.get(column.name) ?? null;
    return { column, value: readMember(column, value, [...loc, column.name], options, faults) ?? null };
  });
}

/**
 * Returns the columns that take their values from another step. Records of a table without a key cannot be
 * read back, so the body itself must contain these values.
 */
function toFills(
  draft: NestedDraft,
  table: CompiledTable,
  loc: FaultLocation,
  columns: readonly CompiledColumn[],
  from: number,
  sources: readonly CompiledColumn[],
): NestedFill[] {
  const step = draft.steps[from];
  if (table.rowKey === null && step?.kind === 'insert') {
    const missing = sources.filter(
      (source) => ![...step.values, ...step.fills].some((entry) => entry.column === source),
    );
    for (const source of missing)
      draft.faults.add(
        [...loc, source.name],
        'Related records need this value, and the table has no key to find it by. Add it to the body.',
        'missing',
      );
  }
  return columns.map((column, index) => ({ column, from, source: sources[index] ?? column }));
}
