import { defect } from '@rowhouse/errors';
import type { CompiledColumn, CompiledRelationship } from '@rowhouse/schema-model';
import { isJsonObject } from '../../../request/json-value.js';
import type { JsonValue } from '../../../request/json-value.js';
import { readObject } from '../plan-body.js';
import { requireIfMatch } from '../record-target.js';
import { planChanges } from '../plan-changes.js';
import type { Assignment, KeyPart } from '../../plan-parts.js';
import type { NestedDraft } from './nested-draft.js';
import type { NestedFill } from './nested-plan.js';
import {
  planChildren,
  planLinked,
  readKey,
  type RecordLocation,
  type RelatedMember,
} from './plan-nested-record.js';
import { readOperations, type RelatedOperation } from './read-operations.js';

/** The record that a nested update changes. */
export interface Parent {
  readonly draft: NestedDraft;
  readonly location: RecordLocation;
  /** The step that finds the record, as an index into the steps. */
  readonly root: number;
}

/** Plans the operations of a nested update on the records of a to-many relationship. */
export function planRelatedMany(parent: Parent, member: RelatedMember): void {
  const { draft, location, root } = parent;
  const { relationship } = member;
  draft.grow(location.branches, relationship);
  for (const operation of readOperations(member, draft.faults)) {
    if (draft.isFull() || draft.faults.isFull()) return;
    if (operation.name === 'create' || operation.name === 'connect') {
      if (!isOfKind(draft, relationship, operation)) continue;
      const relatedMember: RelatedMember = { relationship, value: operation.value, loc: operation.loc };
      if (relationship.kind === 'to_many') planChildren(draft, location, relatedMember, root);
      else planLinked(draft, location, relatedMember, root);
    } else planFound(parent, relationship, operation);
  }
}

/**
 * Checks that the value of `connect` contains only a key, and that the value of `create` contains more than a
 * key.
 */
function isOfKind(
  draft: NestedDraft,
  { target }: CompiledRelationship,
  { name, value, loc }: RelatedOperation,
): boolean {
  const object = readObject(value, loc, draft.faults);
  if (object === null) return false;
  const isKey =
    target.rowKey !== null &&
    object.size === target.rowKey.length &&
    target.rowKey.every((column) => object.has(column.name));
  if (isKey === (name === 'connect')) return true;
  draft.faults.add(
    loc,
    isKey ? 'This is the key of an existing record. Use connect.' : 'Expected only the key of a record.',
    'related_key',
  );
  return false;
}

/** Plans an operation on an existing related record, which must already be related to the changed record. */
function planFound(parent: Parent, relationship: CompiledRelationship, operation: RelatedOperation): void {
  const { draft } = parent;
  const { target, link } = relationship;
  const { name, loc } = operation;
  const read = readRecord(draft, relationship, operation);
  if (read === null) return;
  if (name !== 'disconnect' || link === null)
    requireIfMatch(target, null, draft.options, 'Change the related record with a separate request.');
  const { key, rest } = read;
  if (name !== 'update' && rest.size > 0)
    return draft.faults.add(loc, 'Expected only the key of a record.', 'related_key');
  const changes =
    name === 'update' ? planChanges(target, rest, key, draft.options, draft.faults, null, loc) : [];
  if (link === null) return planChild(parent, relationship, operation, key, changes);
  const linked = findLinked(parent, relationship, key, loc);
  if (name === 'update')
    return addChange(draft, { table: target, loc, key, match: [], after: [linked] }, changes);
  const fills = [
    ...linkFills(parent, relationship),
    ...link.targetColumns.map((column) => ({ column, from: linked, source: column })),
  ];
  const cutIndex = draft.add({ kind: 'remove', table: link.table, loc, key: [], match: fills });
  if (name === 'delete') draft.add({ kind: 'remove', table: target, loc, key, after: [cutIndex] });
  return undefined;
}

function planChild(
  { draft, root }: Parent,
  { target, sourceColumns, targetColumns }: CompiledRelationship,
  { name, loc }: RelatedOperation,
  key: readonly KeyPart[],
  changes: readonly Assignment[],
): void {
  const match = targetColumns.map((column, index): NestedFill => ({
    column,
    from: root,
    source: sourceColumns[index] ?? column,
  }));
  const found = { table: target, loc, key, match };
  if (name === 'delete') return void draft.add({ kind: 'remove', ...found });
  if (name === 'update') return addChange(draft, found, changes);
  const needed = targetColumns.find((column) => !column.nullable);
  if (needed !== undefined)
    return draft.faults.add(
      loc,
      `${needed.name} must not be null. Delete the record, or connect it to another one.`,
      'null_not_allowed',
    );
  return addChange(
    draft,
    found,
    targetColumns.map((column) => ({ kind: 'set', column, value: null })),
  );
}

type LookupKey = Omit<Extract<NestedDraft['steps'][number], { kind: 'look_up' }>, 'kind'>;

/**
 * Adds a step that changes a related record. Without changes, the step only checks that the record exists.
 */
function addChange(draft: NestedDraft, found: LookupKey, changes: readonly Assignment[]): void {
  draft.add(
    changes.length === 0 ? { kind: 'look_up', ...found } : { kind: 'change', ...found, changes, fills: [] },
  );
}

/** Adds the step that finds the row of the link table between two records. */
function findLinked(
  parent: Parent,
  relationship: CompiledRelationship,
  key: readonly KeyPart[],
  loc: RelatedOperation['loc'],
): number {
  const { draft } = parent;
  const { target, targetColumns, link } = relationship;
  if (link === null) return defect('a relationship without a link table');
  draft.link(link.table);
  const record = draft.add({ kind: 'look_up', table: target, loc, key });
  const match = [
    ...linkFills(parent, relationship),
    ...link.targetColumns.map((column, index): NestedFill => ({
      column,
      from: record,
      source: targetColumns[index] ?? column,
    })),
  ];
  return draft.add({ kind: 'look_up', table: link.table, loc, key: [], match });
}

function linkFills({ root }: Parent, { link, sourceColumns }: CompiledRelationship): readonly NestedFill[] {
  return (link?.sourceColumns ?? []).map((column, index) => ({
    column,
    from: root,
    source: sourceColumns[index] ?? column,
  }));
}

/** Parses a record into its key and its other members. Returns null after adding a fault. */
function readRecord(
  draft: NestedDraft,
  { target }: CompiledRelationship,
  { value, loc }: RelatedOperation,
): { readonly key: KeyPart[]; readonly rest: Map<string, JsonValue> } | null {
  const object = readObject(value, loc, draft.faults);
  const rowKey: readonly CompiledColumn[] = target.rowKey ?? [];
  if (object === null || !isJsonObject(object)) return null;
  const missing = rowKey.filter((column) => !object.has(column.name));
  if (rowKey.length === 0 || missing.length > 0) {
    draft.faults.add(
      loc,
      rowKey.length === 0
        ? `${target.name} has no key, so its records cannot be identified.`
        : `The key of the record is missing: ${missing.map((column) => column.name).join(', ')}.`,
      'missing',
    );
    return null;
  }
  draft.link(target);
  const key = readKey(draft, rowKey, object, loc);
  return {
    key,
    rest: new Map([...object].filter(([name]) => !rowKey.some((column) => column.name === name))),
  };
}
