import { isFilledUuid, type CompiledColumn, type CompiledRelationship, type CompiledTable } from '@rowhouse/schema-model';
import { isJsonArray, isJsonObject, nameJsonKind } from '../../request/json-kind.js';
import type { JsonObject, JsonValue } from '../../request/json-value.js';
import { readMember, readObject } from '../plan-body.js';
import { requireIfMatch } from '../plan-if-match.js';
import { INCLUDE_DEPTH_MAX } from '../plan-include.js';
import { planRow } from '../plan-row.js';
import type { KeyPart, RowValues } from '../plan.js';
import type { NestedBranch, NestedDraft } from './nested-draft.js';
import type { NestedFill } from './nested-plan.js';

type Loc = readonly (string | number)[];

/** The position of a record in the body. */
export interface RecordPlace {
  readonly table: CompiledTable;
  readonly loc: Loc;
  /** The values that its parent assigns. */
  readonly given: Given;
  /** 0 for a record at the top level of the body. */
  readonly depth: number;
  readonly branches: Map<string, NestedBranch>;
}

/** Columns that relationships set, either to known values or to values of other steps' rows. */
export interface Given {
  readonly values: RowValues;
  readonly fills: readonly NestedFill[];
}

export const NOTHING_GIVEN: Given = { values: [], fills: [] };

export interface RelatedMember {
  readonly relationship: CompiledRelationship;
  readonly value: JsonValue;
  readonly loc: Loc;
}

/**
 * Adds the steps of one record and of everything below it. The records it refers to come first, followed by
 * the record itself and the records that refer to it. Returns the step of the record, or null after adding a
 * fault.
 */
export function planRecord(draft: NestedDraft, place: RecordPlace, body: JsonValue): number | null {
  const { table, loc } = place;
  const object = readObject(body, loc, draft.faults);
  if (object === null) return null;
  const { own, related } = splitMembers(table, object, loc);
  if (related.length > 0 && place.depth === INCLUDE_DEPTH_MAX) {
    draft.faults.add(related[0]?.loc ?? loc, `Records are written along at most ${INCLUDE_DEPTH_MAX} deep.`, 'too_deep');
    return null;
  }
  let given = withoutNamed(draft, place.given, own, loc);
  for (const member of related) if (member.relationship.kind === 'to_one') given = planParent(draft, place, member, given, own);
  const filled = columnsOf(given);
  const values = planRow(table, own, loc, draft.options, draft.faults, { filled, noteRelated: null });
  const step = draft.add({ kind: 'insert', table, loc, values: [...values, ...given.values], fills: given.fills });
  for (const member of related) {
    if (member.relationship.kind === 'to_many') planChildren(draft, place, member, step);
    else if (member.relationship.kind === 'many_to_many') planLinked(draft, place, member, step);
  }
  return step;
}

/** Separates columns and relationships. A column wins over a relationship of the same name. */
export function splitMembers(table: CompiledTable, object: JsonObject, loc: Loc): { own: Map<string, JsonValue>; related: RelatedMember[] } {
  const own = new Map<string, JsonValue>();
  const related: RelatedMember[] = [];
  for (const [name, value] of object) {
    const relationship = table.findWritable(name) === null ? table.findRelationship(name) : null;
    if (relationship === null) own.set(name, value);
    else related.push({ relationship, value, loc: [...loc, name] });
  }
  return { own, related };
}

function columnsOf({ values, fills }: Given): Set<CompiledColumn> {
  return new Set([...values, ...fills].map((entry) => entry.column));
}

/**
 * Removes the columns that the body names. Columns of a composite foreign key may be named if the
 * relationship still sets at least one.
 */
function withoutNamed(draft: NestedDraft, given: Given, own: ReadonlyMap<string, JsonValue>, loc: Loc): Given {
  const isFree = ({ column }: { readonly column: CompiledColumn }): boolean => !own.has(column.name);
  const left = { values: given.values.filter(isFree), fills: given.fills.filter(isFree) };
  if (columnsOf(given).size === 0 || columnsOf(left).size > 0) return left;
  for (const column of columnsOf(given)) draft.faults.add([...loc, column.name], 'The column is set by the relationship: leave it out.', 'set_by_relationship');
  return given;
}

/**
 * Adds the columns of another relationship. A column that two relationships share is set once, and the
 * foreign keys ensure that both are true.
 */
function addGiven(given: Given, more: Given): Given {
  const taken = columnsOf(given);
  const isFree = ({ column }: { readonly column: CompiledColumn }): boolean => !taken.has(column);
  return { values: [...given.values, ...more.values.filter(isFree)], fills: [...given.fills, ...more.fills.filter(isFree)] };
}

/**
 * Plans a record that this one refers to, which is written first or already exists. Null means no related
 * record, as in responses.
 */
function planParent(draft: NestedDraft, place: RecordPlace, { relationship, value, loc }: RelatedMember, given: Given, own: ReadonlyMap<string, JsonValue>): Given {
  if (value === null) return given;
  const branch = draft.grow(place.branches, relationship);
  if (!isJsonObject(value)) {
    draft.faults.add(loc, `The relationship leads to one record: an object is needed here, not ${nameJsonKind(value)}.`, 'dict_type');
    return given;
  }
  const more = planFar(draft, relationship, relationship.nearColumns, value, { ...place, loc, branches: branch.branches });
  if (more === null) return addGiven(given, { values: relationship.nearColumns.map((column) => ({ column, value: null })), fills: [] });
  const left = addGiven(given, withoutNamed(draft, more, own, place.loc));
  if (columnsOf(left).size === columnsOf(given).size) draft.faults.add(loc, 'Another relationship sets the same columns.', 'set_by_relationship');
  return left;
}

/**
 * Returns the values of `columns` that refer to a record of the target table, which is created or already
 * exists. Returns null after adding a fault.
 */
export function planFar(draft: NestedDraft, { far, farColumns }: CompiledRelationship, columns: readonly CompiledColumn[], value: JsonValue, place: Omit<RecordPlace, 'table' | 'given'>): Given | null {
  const key = isJsonObject(value) ? readLink(draft, far, value, place.loc) : null;
  const known = farColumns.map((column) => key?.find((part) => part.column === column));
  if (key !== null && known.every((part) => part !== undefined)) return { values: columns.map((column, at) => ({ column, value: known[at]?.value ?? null })), fills: [] };
  const step = key === null
    ? planRecord(draft, { ...place, table: far, given: NOTHING_GIVEN, depth: place.depth + 1 }, value)
    : draft.add({ kind: 'look_up', table: far, loc: place.loc, key });
  return step === null ? null : { values: [], fills: toFills(draft, far, place.loc, columns, step, farColumns) };
}

export function planChildren(draft: NestedDraft, place: RecordPlace, { relationship, value, loc }: RelatedMember, parent: number): void {
  const { far, nearColumns, farColumns } = relationship;
  const { branches } = draft.grow(place.branches, relationship);
  const given: Given = { values: [], fills: toFills(draft, place.table, place.loc, farColumns, parent, nearColumns) };
  eachRecord(draft, value, loc, (child, here) => {
    const key = isJsonObject(child) ? readLink(draft, far, child, here) : null;
    if (key === null) planRecord(draft, { table: far, loc: here, given, depth: place.depth + 1, branches }, child);
    else if (farColumns.some((column) => far.rowKey?.includes(column))) draft.faults.add(here, `The key of ${far.name} holds its parent: it cannot be given another.`, 'key_changed');
    else {
      requireIfMatch(far, null, draft.options, 'Create the record first, and give it to others by writes of their own.');
      draft.add({ kind: 'attach', table: far, loc: here, key, fills: given.fills });
    }
  });
}

/** Adds a row of the link table for each record of a many-to-many relationship. */
export function planLinked(draft: NestedDraft, place: RecordPlace, { relationship, value, loc }: RelatedMember, parent: number): void {
  const { link, nearColumns } = relationship;
  if (link === null) return;
  const { branches } = draft.grow(place.branches, relationship);
  const filled = new Set([...link.nearColumns, ...link.farColumns]);
  const lacking = link.table.columns.filter((column) => column.required && !filled.has(column) && !isFilledUuid(column)).map((column) => column.name);
  if (lacking.length > 0) return draft.faults.add(loc, `${link.table.name} needs more than the two records: ${lacking.join(', ')}.`, 'missing', `Write the records of ${link.table.name} themselves.`);
  const near: Given = { values: [], fills: toFills(draft, place.table, place.loc, link.nearColumns, parent, nearColumns) };
  eachRecord(draft, value, loc, (record, here) => {
    const far = planFar(draft, relationship, link.farColumns, record, { loc: here, depth: place.depth, branches });
    if (far === null) return;
    const given = addGiven(near, far);
    const values = planRow(link.table, new Map(), here, draft.options, draft.faults, { filled, noteRelated: null });
    draft.add({ kind: 'insert', table: link.table, loc: here, values: [...values, ...given.values], fills: given.fills });
  });
  return undefined;
}

export function eachRecord(draft: NestedDraft, value: JsonValue, loc: Loc, plan: (record: JsonValue, loc: Loc) => void): void {
  if (!isJsonArray(value)) return plan(value, loc);
  for (const [at, record] of value.entries()) {
    if (draft.isFull() || draft.faults.isFull()) return;
    plan(record, [...loc, at]);
  }
}

/**
 * Reads a reference to an existing record: `{"<pk>": v}` with exactly the columns of the key. Returns null
 * for a record to be created.
 */
export function readLink(draft: NestedDraft, far: CompiledTable, object: JsonObject, loc: Loc): KeyPart[] | null {
  const { rowKey } = far;
  if (rowKey === null || object.size !== rowKey.length || !rowKey.every((column) => object.has(column.name))) return null;
  draft.link(far);
  return rowKey.map((column) => ({ column, value: readMember(column, object.get(column.name) ?? null, [...loc, column.name], draft.options, draft.faults) ?? null }));
}

/**
 * Returns the columns that take values from a step. Records of a table without a key cannot be read back, so
 * the body must contain these values.
 */
function toFills(draft: NestedDraft, table: CompiledTable, loc: Loc, columns: readonly CompiledColumn[], from: number, sources: readonly CompiledColumn[]): NestedFill[] {
  const step = draft.steps[from];
  if (table.rowKey === null && step?.kind === 'insert') {
    const missing = sources.filter((source) => ![...step.values, ...step.fills].some((entry) => entry.column === source));
    for (const source of missing) draft.faults.add([...loc, source.name], 'Related records take this value, and the table has no key to find it by: name it.', 'missing');
  }
  return columns.map((column, at) => ({ column, from, source: sources[at] ?? column }));
}
