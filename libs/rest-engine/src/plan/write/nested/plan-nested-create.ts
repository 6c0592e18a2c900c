import type { CompiledRelationship, CompiledTable, Verb } from '@rowhouse/schema-model';
import type { CreateRequest } from '../../../request/api-request.js';
import { createFaultList } from '../../../request/fault-list.js';
import { isJsonArray } from '../../../request/json-value.js';
import { PER_PARENT_MAX } from '../../list/plan-embed.js';
import { withoutIncluded } from '../../list/plan-select.js';
import type { IncludeNode, PlanOptions, Touch } from '../../plan-parts.js';
import { createDraft, type NestedBranch, type NestedDraft } from './nested-draft.js';
import type { NestedCreatePlan } from './nested-plan.js';
import { NOTHING_GIVEN, planRecord } from './plan-nested-record.js';

/** Plans `POST /{table}` with a body that contains related records in addition to columns. */
export function planNestedCreate(request: CreateRequest, options: PlanOptions): NestedCreatePlan {
  const { table, preferences, body } = request;
  const faults = createFaultList('body.invalid');
  const draft = createDraft(options, faults);
  const isBulk = isJsonArray(body);
  const roots: number[] = [];
  for (const [index, record] of (isJsonArray(body) ? body : [body]).entries()) {
    const loc = isBulk ? ['body', index] : ['body'];
    if (faults.isFull() || draft.isFull()) break;
    const root = planRecord(
      draft,
      { table, loc, given: NOTHING_GIVEN, depth: 0, branches: draft.branches },
      record,
    );
    if (root !== null) roots.push(root);
  }
  faults.throwIfAny();
  const isMinimal =
    preferences.result === 'minimal' || !table.verbs.includes('read') || table.rowKey === null;
  const include = isMinimal ? [] : toInclude(draft.branches, '');
  return {
    kind: 'create_nested',
    table,
    touches: collectNestedTouches(table, draft, include, preferences.transaction === 'rollback'),
    address: request.address,
    preferences,
    isBulk,
    steps: draft.steps,
    roots,
    returned: isMinimal ? null : withoutIncluded(table.shown, include),
    include,
  };
}

/** Returns the include tree of the related records that were written, as far as the API key may read them. */
export function toInclude(
  branches: ReadonlyMap<string, NestedBranch>,
  prefix: string,
): readonly IncludeNode[] {
  return [...branches.values()]
    .filter(({ relationship }) => isReadable(relationship))
    .map(({ relationship, branches: inner }) => {
      const path = prefix === '' ? relationship.name : `${prefix}.${relationship.name}`;
      const children = toInclude(inner, path);
      const perParentMax = relationship.kind === 'to_one' ? 1 : PER_PARENT_MAX;
      return {
        relationship,
        name: relationship.name,
        path,
        isCount: false,
        select: withoutIncluded(relationship.target.shown, children),
        hasEtag: false,
        where: [],
        sort: [],
        perParentMax,
        children,
      };
    });
}

function isReadable({ target, link }: CompiledRelationship): boolean {
  return target.verbs.includes('read') && (link === null || link.table.verbs.includes('read'));
}

/**
 * Returns every table that a nested write touches: tables that are written, contain linked records or appear
 * in the response.
 */
export function collectNestedTouches(
  table: CompiledTable,
  draft: NestedDraft,
  include: readonly IncludeNode[],
  isRollback: boolean,
): readonly Touch[] {
  const touches = new Map<string, Touch>();
  const touch = (name: string, verb: Verb): void =>
    void touches.set(`${verb} ${name}`, { table: name, verb });
  touch(table.name, 'write');
  for (const step of draft.steps)
    if (step.kind !== 'look_up') touch(step.table.name, step.kind === 'remove' ? 'delete' : 'write');
  for (const linked of draft.linked) touch(linked.name, 'read');
  const visit = (nodes: readonly IncludeNode[]): void => {
    for (const { relationship, children } of nodes) {
      touch(relationship.target.name, 'read');
      if (relationship.link !== null) touch(relationship.link.table.name, 'read');
      visit(children);
    }
  };
  visit(include);
  const written = [...touches.values()];
  if (isRollback) for (const { table: name } of written) touch(name, 'read');
  return [...touches.values()];
}
