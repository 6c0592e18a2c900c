import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';
import { splitSegments } from '../request/split-segments.js';
import { hintNearest, relationshipNames } from './find-names.js';
import { splitNames, withoutIncluded } from './plan-select.js';
import type { IncludeNode } from './plan.js';

export const INCLUDE_DEPTH_MAX = 5;
export const INCLUDE_COUNT_MAX = 20;
export const PER_PARENT_DEFAULT = 100;

/** A node while it grows; shared prefixes of `comments,comments.user` are one. */
interface Draft {
  readonly relationship: CompiledRelationship;
  readonly path: string;
  readonly children: Map<string, Draft>;
}

/** `user,comments.user` as a tree over the relationships of `table`. */
export function planInclude(table: CompiledTable, text: string | null, faults: FaultList): readonly IncludeNode[] {
  if (text === null) return [];
  const roots = new Map<string, Draft>();
  const counter = { count: 0 };
  for (const path of splitNames(text)) growPath(table, path, roots, counter, faults);
  if (counter.count > INCLUDE_COUNT_MAX) faults.add(['query', 'include'], `At most ${INCLUDE_COUNT_MAX} relationships are included.`, 'too_many');
  return [...roots.values()].map(toNode);
}

function growPath(table: CompiledTable, path: string, roots: Map<string, Draft>, counter: { count: number }, faults: FaultList): void {
  const read = splitSegments(path);
  if (read === null || read.end !== path.length) {
    return faults.add(['query', 'include'], `${JSON.stringify(path)} is no list of relationship names.`, 'unknown_relationship', hintNearest(path, relationshipNames(table)));
  }
  if (read.segments.length > INCLUDE_DEPTH_MAX) return faults.add(['query', 'include'], `Includes go at most ${INCLUDE_DEPTH_MAX} deep.`, 'too_deep');
  let near = table;
  let level = roots;
  let prefix = '';
  for (const { name } of read.segments) {
    const relationship = near.findRelationship(name);
    if (relationship === null) return addUnknown(near, name, faults);
    prefix = prefix === '' ? relationship.name : `${prefix}.${relationship.name}`;
    const draft: Draft = level.get(relationship.name) ?? { relationship, path: prefix, children: new Map() };
    if (!level.has(relationship.name)) {
      level.set(relationship.name, draft);
      counter.count += 1;
    }
    level = draft.children;
    near = relationship.far;
  }
  return undefined;
}

function addUnknown(table: CompiledTable, name: string, faults: FaultList): void {
  const known = relationshipNames(table);
  const hint = hintNearest(name, known) ?? (known.length === 0 ? `${table.name} has no relationships.` : `There are ${known.slice(0, 20).join(', ')}.`);
  faults.add(['query', 'include'], `${table.name} has no relationship ${JSON.stringify(name)}.`, 'unknown_relationship', hint);
}

function toNode(draft: Draft): IncludeNode {
  const children = [...draft.children.values()].map(toNode);
  return {
    relationship: draft.relationship,
    path: draft.path,
    select: withoutIncluded(draft.relationship.far.shown, children),
    perParentMax: draft.relationship.kind === 'to_one' ? 1 : PER_PARENT_DEFAULT,
    children,
  };
}
