import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { UpdateRequest } from '../../../request/api-request.js';
import { createFaultList } from '../../../request/fault-list.js';
import { readObject } from '../plan-body.js';
import { planConditions, requireIfMatch, planKey } from '../record-target.js';
import { withoutIncluded } from '../../list/plan-select.js';
import { planChanges } from '../plan-changes.js';
import type { Assignment, PlanOptions } from '../../plan-parts.js';
import { createDraft } from './nested-draft.js';
import type { NestedFill, NestedUpdatePlan } from './nested-plan.js';
import { collectNestedTouches, toInclude } from './plan-nested-create.js';
import {
  NOTHING_GIVEN,
  planTarget,
  readLink,
  splitMembers,
  type RecordLocation,
  type RelatedMember,
} from './plan-nested-record.js';
import { planRelatedMany, type Parent } from './plan-related-many.js';
import { isTrue, readOperations, type RelatedOperation } from './read-operations.js';

/**
 * Plans `PATCH /{table}/{id}` with a body that contains operations on related records in addition to columns.
 */
export function planNestedUpdate(request: UpdateRequest, options: PlanOptions): NestedUpdatePlan {
  const { table, preferences } = request;
  const faults = createFaultList('body.invalid');
  const draft = createDraft(options, faults);
  const key = [...planKey(table, request.key)];
  requireIfMatch(table, request.ifMatch, options);
  const { own, related } = splitMembers(table, readObject(request.body, ['body'], faults) ?? new Map(), [
    'body',
  ]);
  const changes = planChanges(table, own, key, options, faults);
  const root = draft.add({ kind: 'look_up', table, loc: ['body'], key });
  const location: RecordLocation = {
    table,
    loc: ['body'],
    given: NOTHING_GIVEN,
    depth: 0,
    branches: draft.branches,
  };
  const parent: Parent = { draft, location, root };
  const target = related
    .filter(({ relationship }) => relationship.kind === 'to_one')
    .map((member) => planOne(parent, member, own));
  const step = planOwn(parent, changes, target);
  for (const { later } of target) later?.(step);
  for (const member of related) if (member.relationship.kind !== 'to_one') planRelatedMany(parent, member);
  faults.throwIfAny();
  const isMinimal = preferences.result === 'minimal' || !table.verbs.includes('read');
  const include = isMinimal ? [] : toInclude(draft.branches, '');
  const touches = [...collectNestedTouches(table, draft, include, preferences.transaction === 'rollback')];
  const conditions = planConditions(table, request, options);
  if (conditions !== null && !touches.some((touch) => touch.table === table.name && touch.verb === 'read'))
    touches.push({ table: table.name, verb: 'read' });
  return {
    kind: 'update_nested',
    table,
    touches,
    address: request.address,
    preferences,
    isBulk: false,
    conditions,
    steps: draft.steps,
    roots: [root],
    returned: isMinimal ? null : withoutIncluded(table.shown, include),
    include,
  };
}

/**
 * The values that a to-one relationship sets in the changed record, and the step to add after they are set.
 */
interface ToOneChange {
  readonly changes: readonly Assignment[];
  readonly fills: readonly NestedFill[];
  readonly later?: (own: number) => void;
}

const NO_CHANGE: ToOneChange = { changes: [], fills: [] };

function planOne(parent: Parent, member: RelatedMember, own: ReadonlyMap<string, unknown>): ToOneChange {
  const { draft, location } = parent;
  const { relationship } = member;
  const { target, sourceColumns } = relationship;
  const [operation] = readOperations(member, draft.faults);
  const { branches } = draft.grow(location.branches, relationship);
  if (operation === undefined) return NO_CHANGE;
  if (operation.name === 'update') return updateOne(parent, member, operation);
  const named = sourceColumns.find((column) => own.has(column.name));
  if (named !== undefined)
    draft.faults.add(
      ['body', named.name],
      'The relationship sets this column. Omit it.',
      'set_by_relationship',
    );
  if (operation.name === 'create' || operation.name === 'connect') {
    const isLink = readLinkOf(parent, target, operation);
    if (isLink !== (operation.name === 'connect')) return rejectKey(parent, target, operation);
    const presets = planTarget(draft, relationship, sourceColumns, operation.value, {
      loc: operation.loc,
      depth: 0,
      branches,
    });
    return presets === null
      ? NO_CHANGE
      : { changes: presets.values.map((entry) => ({ kind: 'set', ...entry })), fills: presets.fills };
  }
  return isTrue(operation, draft.faults) ? dropOne(parent, member, operation) : NO_CHANGE;
}

/**
 * Returns the condition that finds the related record. It depends on stored values of the changed record,
 * which an earlier step reads.
 */
function matchTarget(
  { root }: Parent,
  { relationship: { sourceColumns, targetColumns } }: RelatedMember,
): readonly NestedFill[] {
  return targetColumns.map((column, index) => ({
    column,
    from: root,
    source: sourceColumns[index] ?? column,
  }));
}

function updateOne(parent: Parent, member: RelatedMember, { value, loc }: RelatedOperation): ToOneChange {
  const { draft } = parent;
  const { target } = member.relationship;
  requireIfMatch(target, null, draft.options, 'Change the related record with a separate request.');
  const object = readObject(value, loc, draft.faults);
  const changes =
    object === null ? [] : planChanges(target, object, null, draft.options, draft.faults, null, loc);
  const found = { table: target, loc, key: [], match: matchTarget(parent, member) };
  draft.add(
    changes.length === 0 ? { kind: 'look_up', ...found } : { kind: 'change', ...found, changes, fills: [] },
  );
  return NO_CHANGE;
}

/**
 * Plans `disconnect` or `delete` for a to-one relationship: removes the reference to the related record, and
 * deletes that record if requested.
 */
function dropOne(parent: Parent, member: RelatedMember, { name, loc }: RelatedOperation): ToOneChange {
  const { draft } = parent;
  const { target, sourceColumns } = member.relationship;
  const needed = sourceColumns.find((column) => !column.nullable);
  if (needed !== undefined) {
    draft.faults.add(loc, `${needed.name} must not be null. Connect another record.`, 'null_not_allowed');
    return NO_CHANGE;
  }
  const changes = sourceColumns.map((column): Assignment => ({ kind: 'set', column, value: null }));
  if (name === 'disconnect') return { changes, fills: [] };
  requireIfMatch(target, null, draft.options, 'Delete the related record with a separate request.');
  return {
    changes,
    fills: [],
    later: (own) =>
      void draft.add({
        kind: 'remove',
        table: target,
        loc,
        key: [],
        match: matchTarget(parent, member),
        after: [own],
      }),
  };
}

/**
 * Adds the step that changes the record itself. If its own columns do not change, returns the step that finds
 * the record.
 */
function planOwn(
  { draft, location, root }: Parent,
  changes: readonly Assignment[],
  target: readonly ToOneChange[],
): number {
  const all = [...changes, ...target.flatMap((toOneChange) => toOneChange.changes)];
  const fills = target.flatMap((toOneChange) => toOneChange.fills);
  const { table, loc } = location;
  const isKey = (column: CompiledColumn): boolean => table.rowKey?.includes(column) === true;
  for (const { column } of [...all, ...fills])
    if (isKey(column))
      draft.faults.add(
        [...loc, column.name],
        'To change the key, send a request without related records.',
        'key_changed',
      );
  if (all.length === 0 && fills.length === 0) return root;
  const match = (table.rowKey ?? []).map((column) => ({ column, from: root, source: column }));
  return draft.add({ kind: 'change', table, loc, key: [], match, changes: all, fills });
}

/** Reports whether the value of an operation contains only the key of a record. */
function readLinkOf({ draft }: Parent, target: CompiledTable, { value, loc }: RelatedOperation): boolean {
  const object = readObject(value, loc, draft.faults);
  return object !== null && readLink(draft, target, object, loc) !== null;
}

function rejectKey({ draft }: Parent, target: CompiledTable, { name, loc }: RelatedOperation): ToOneChange {
  const columns = (target.rowKey ?? []).map((column) => column.name).join(', ');
  draft.faults.add(
    loc,
    name === 'connect'
      ? `Expected only the key of a record: ${columns}.`
      : 'This is the key of an existing record. Use connect.',
    'related_key',
  );
  return NO_CHANGE;
}
