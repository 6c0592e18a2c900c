import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { EmbedParameter } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import { splitSegments } from '../../request/path-segments.js';
import type { ConditionBudget } from '../filter/condition-budget.js';
import { splitAggregates } from '../aggregate/split-terms.js';
import { hintCountInclude } from '../filter/find-counts.js';
import { hintFor, relationshipNames, unknownRelationship } from '../find-names.js';
import { planCountEmbed, planEmbed } from './plan-embed.js';
import { checkIncluded, splitNames, withoutIncluded } from './plan-select.js';
import type { IncludeNode } from '../plan-parts.js';

export const INCLUDE_DEPTH_MAX = 5;
export const INCLUDE_COUNT_MAX = 20;

/**
 * A node of the include tree under construction. Paths with a common prefix, such as `comments` and
 * `comments.user`, share the node of the prefix.
 */
interface Draft {
  readonly relationship: CompiledRelationship;
  readonly name: string;
  readonly path: string;
  readonly isCount: boolean;
  /** The child nodes by relationship name. */
  readonly children: Map<string, Draft>;
  readonly embeds: EmbedParameter[];
}

/** One item of the `include` list: a path such as `comments.user`, or a count such as `n:count:comments`. */
interface Item {
  readonly path: readonly string[];
  readonly isCount: boolean;
  /** The member name of a count. If null, the name is derived from the counted relationship. */
  readonly alias: string | null;
}

/**
 * Plans an `include` list such as `user,comments.user,count:comments` as a tree of relationships, starting at
 * `table`. Each node has its options.
 */
export function planInclude(
  table: CompiledTable,
  text: string | null,
  embeds: readonly EmbedParameter[],
  faults: FaultList,
  budget: ConditionBudget,
): readonly IncludeNode[] {
  if (text === null && embeds.length === 0) return NOTHING;
  const roots = new Map<string, Draft>();
  const counter = { count: 0 };
  for (const written of text === null ? [] : splitNames(text)) {
    if (faults.isFull() || counter.count > INCLUDE_COUNT_MAX) break;
    const item = readItem(written);
    if (item === null)
      faults.add(
        ['query', 'include'],
        `${JSON.stringify(written)} is not a list of relationship names.`,
        'unknown_relationship',
        hintChosen(table, written) ?? hintFor(faults, written, () => relationshipNames(table)),
      );
    else growPath(table, item, roots, counter, faults);
  }
  if (counter.count > INCLUDE_COUNT_MAX)
    faults.add(
      ['query', 'include'],
      `A request can include at most ${INCLUDE_COUNT_MAX} relationships.`,
      'too_many',
    );
  for (const embed of embeds) addEmbed(table, embed, roots, faults);
  return [...roots.values()].map((draft) => toNode(draft, faults, budget));
}

const NOTHING: readonly IncludeNode[] = Object.freeze([]);

/** Adds an option to the include that it names. Adds a fault if that path is not included. */
function addEmbed(
  table: CompiledTable,
  embed: EmbedParameter,
  roots: Map<string, Draft>,
  faults: FaultList,
): void {
  let source = table;
  let level = roots;
  let draft: Draft | undefined;
  for (const name of embed.path) {
    draft = level.get(name) ?? level.get(source.findRelationship(name)?.name ?? '');
    if (draft === undefined) break;
    level = draft.children;
    source = draft.relationship.target;
  }
  if (draft !== undefined) draft.embeds.push(embed);
  else
    faults.add(
      ['query', embed.key],
      `${JSON.stringify(embed.path.join('.'))} is not included.`,
      'unknown_relationship',
      `Add include=${embed.path.join('.')}.`,
    );
}

/**
 * Returns a hint for a name such as `user(username`. Other APIs list columns in parentheses after a
 * relationship, and this list was already split at the commas inside them.
 */
function hintChosen(table: CompiledTable, written: string): string | null {
  const name = /^([\w-]+)\(/.exec(written)?.[1] ?? '';
  return table.findRelationship(name) === null
    ? null
    : `To choose columns of included records, use include[${name}][_select].`;
}

/** Parses an include path, or a count such as `count:comments`. Returns null for any other text. */
function readItem(text: string): Item | null {
  const read = splitSegments(text);
  if (read !== null && read.end === text.length)
    return { path: read.segments.map((segment) => segment.name), isCount: false, alias: null };
  const term = splitAggregates(text)[0] ?? null;
  return term === null || term.path === null || term.function !== 'count'
    ? null
    : { path: term.path, isCount: true, alias: term.alias };
}

function growPath(
  table: CompiledTable,
  { path, isCount, alias }: Item,
  roots: Map<string, Draft>,
  counter: { count: number },
  faults: FaultList,
): void {
  if (path.length > INCLUDE_DEPTH_MAX)
    return faults.add(
      ['query', 'include'],
      `Includes can be nested at most ${INCLUDE_DEPTH_MAX} deep.`,
      'too_deep',
    );
  let source = table;
  let level = roots;
  let prefix = '';
  for (const [index, step] of path.entries()) {
    const relationship = source.findRelationship(step);
    if (relationship === null) return addUnknown(source, step, faults, path.slice(0, index));
    const isCounted = isCount && index === path.length - 1;
    if (isCounted && relationship.kind === 'to_one')
      return faults.add(
        ['query', 'include'],
        `${relationship.name} is a to-one relationship and cannot be counted.`,
        'not_to_many',
        `Filter by ${relationship.name}__exists.`,
      );
    const name = isCounted ? (alias ?? `count_${relationship.name}`) : relationship.name;
    prefix = prefix === '' ? name : `${prefix}.${name}`;
    const draft: Draft = level.get(name) ?? {
      relationship,
      name,
      path: prefix,
      isCount: isCounted,
      children: new Map(),
      embeds: [],
    };
    if (draft.relationship !== relationship || draft.isCount !== isCounted)
      return faults.add(
        ['query', 'include'],
        `Two members would have the name ${JSON.stringify(name)}.`,
        'repeated',
        `Rename the count: n:count:${relationship.name}.`,
      );
    if (!level.has(name)) {
      level.set(name, draft);
      counter.count += 1;
    }
    level = draft.children;
    source = relationship.target;
  }
  return undefined;
}

function addUnknown(table: CompiledTable, name: string, faults: FaultList, path: readonly string[]): void {
  const { msg, type, hint } = unknownRelationship(faults, table, name);
  const known = relationshipNames(table);
  const list =
    known.length === 0
      ? `${table.name} has no relationships.`
      : `Its relationships are ${known.slice(0, 20).join(', ')}.`;
  faults.add(
    ['query', 'include'],
    msg,
    type,
    (type === 'ambiguous_relationship' ? null : hintCountInclude(table, name, path)) ?? hint ?? list,
  );
}

function toNode(draft: Draft, faults: FaultList, budget: ConditionBudget): IncludeNode {
  const { relationship, name, path, isCount, embeds } = draft;
  if (isCount)
    return {
      relationship,
      name,
      path,
      isCount,
      ...planCountEmbed(relationship, embeds, faults, budget),
      children: [],
    };
  const children = [...draft.children.values()].map((child) => toNode(child, faults, budget));
  const embed = planEmbed(relationship, embeds, faults, budget);
  checkIncluded(embed.select, children, embeds[0]?.key ?? 'include', faults);
  return {
    relationship,
    name,
    path,
    isCount,
    ...embed,
    select: withoutIncluded(embed.select, children),
    children,
  };
}
