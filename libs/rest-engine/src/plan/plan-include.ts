import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { EmbedParameter } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import { splitSegments } from '../request/split-segments.js';
import type { ConditionBudget } from './condition-budget.js';
import { hintFor, relationshipNames } from './find-names.js';
import { planEmbed } from './plan-embed.js';
import { splitNames, withoutIncluded } from './plan-select.js';
import type { IncludeNode } from './plan.js';

export const INCLUDE_DEPTH_MAX = 5;
export const INCLUDE_COUNT_MAX = 20;

/** A node while it grows; shared prefixes of `comments,comments.user` are one. */
interface Draft {
  readonly relationship: CompiledRelationship;
  readonly path: string;
  readonly children: Map<string, Draft>;
  readonly embeds: EmbedParameter[];
}

/** `user,comments.user` as a tree over the relationships of `table`, each with its options. */
export function planInclude(
  table: CompiledTable, text: string | null, embeds: readonly EmbedParameter[], faults: FaultList, budget: ConditionBudget,
): readonly IncludeNode[] {
  if (text === null && embeds.length === 0) return NOTHING;
  const roots = new Map<string, Draft>();
  const counter = { count: 0 };
  for (const path of text === null ? [] : splitNames(text)) {
    if (faults.isFull() || counter.count > INCLUDE_COUNT_MAX) break;
    growPath(table, path, roots, counter, faults);
  }
  if (counter.count > INCLUDE_COUNT_MAX) faults.add(['query', 'include'], `At most ${INCLUDE_COUNT_MAX} relationships are included.`, 'too_many');
  for (const embed of embeds) addEmbed(table, embed, roots, faults);
  return [...roots.values()].map((draft) => toNode(draft, faults, budget));
}

const NOTHING: readonly IncludeNode[] = Object.freeze([]);

/** Options only of what is included. */
function addEmbed(table: CompiledTable, embed: EmbedParameter, roots: Map<string, Draft>, faults: FaultList): void {
  let near = table;
  let level = roots;
  let draft: Draft | undefined;
  for (const name of embed.path) {
    const relationship = near.findRelationship(name);
    draft = relationship === null ? undefined : level.get(relationship.name);
    if (relationship === null || draft === undefined) break;
    level = draft.children;
    near = relationship.far;
  }
  if (draft !== undefined) draft.embeds.push(embed);
  else faults.add(['query', embed.key], `${JSON.stringify(embed.path.join('.'))} is not included.`, 'unknown_relationship', `Add include=${embed.path.join('.')}.`);
}

function growPath(table: CompiledTable, path: string, roots: Map<string, Draft>, counter: { count: number }, faults: FaultList): void {
  const read = splitSegments(path);
  if (read === null || read.end !== path.length) {
    return faults.add(['query', 'include'], `${JSON.stringify(path)} is no list of relationship names.`, 'unknown_relationship', hintFor(faults, path, () => relationshipNames(table)));
  }
  if (read.segments.length > INCLUDE_DEPTH_MAX) return faults.add(['query', 'include'], `Includes go at most ${INCLUDE_DEPTH_MAX} deep.`, 'too_deep');
  let near = table;
  let level = roots;
  let prefix = '';
  for (const { name } of read.segments) {
    const relationship = near.findRelationship(name);
    if (relationship === null) return addUnknown(near, name, faults);
    prefix = prefix === '' ? relationship.name : `${prefix}.${relationship.name}`;
    const draft: Draft = level.get(relationship.name) ?? { relationship, path: prefix, children: new Map(), embeds: [] };
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
  const hint = hintFor(faults, name, () => known) ?? (known.length === 0 ? `${table.name} has no relationships.` : `There are ${known.slice(0, 20).join(', ')}.`);
  faults.add(['query', 'include'], `${table.name} has no relationship ${JSON.stringify(name)}.`, 'unknown_relationship', hint);
}

function toNode(draft: Draft, faults: FaultList, budget: ConditionBudget): IncludeNode {
  const children = [...draft.children.values()].map((child) => toNode(child, faults, budget));
  const embed = planEmbed(draft.relationship, draft.embeds, faults, budget);
  return {
    relationship: draft.relationship,
    path: draft.path,
    ...embed,
    select: withoutIncluded(embed.select, children),
    children,
  };
}
