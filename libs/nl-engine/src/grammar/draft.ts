import type { Condition, Draft, Interpretation, Mention, TableLink, Target } from '../types.js';
import type { EntityPhrase } from './nouns/entity-phrases.js';

export const EMPTY_DRAFT: Draft = {
  targets: [],
  mentions: [],
  groups: [],
  orders: [],
  limit: null,
  distinct: false,
  unmatched: [],
  focus: -1,
};

/** Returns the interpretation at a later token, with a higher cost and a changed draft. */
export function advance(
  interpretation: Interpretation,
  position: number,
  cost: number,
  change: Partial<Draft> = {},
): Interpretation {
  return { position, cost: interpretation.cost + cost, draft: { ...interpretation.draft, ...change } };
}

/** Adds a mention to a parent. It becomes the current mention. Omitted members get default values. */
export function addMention(
  draft: Draft,
  mention: { readonly links: readonly TableLink[] } & Partial<Mention>,
  parent: number,
): Draft {
  const created: Mention = {
    negated: false,
    quantity: null,
    conditions: [],
    tie: [],
    isAlternative: false,
    ...mention,
    parent,
  };
  return { ...draft, mentions: [...draft.mentions, created], focus: draft.mentions.length };
}

/**
 * Returns the index of a mention with one of these tables. Returns -1 if no mention has one. On both sides,
 * only the links with almost the lowest cost are compared.
 */
export function findMentionOfTable(draft: Draft, links: readonly TableLink[]): number {
  const closest = Math.min(...links.map((link) => link.cost));
  return draft.mentions.findIndex((mention) => {
    const own = Math.min(...mention.links.map((link) => link.cost));
    return mention.links.some(
      (link) =>
        link.cost <= own + 0.3 &&
        links.some((other) => other.table === link.table && other.cost <= closest + 0.3),
    );
  });
}

/** Adds conditions to a mention. The parts of an `all` condition are added one by one. */
export function addConditions(draft: Draft, mention: number, conditions: readonly Condition[]): Draft {
  if (conditions.length === 0) return draft;
  const flat = conditions.flatMap((condition) => (condition.kind === 'all' ? condition.parts : [condition]));
  return {
    ...draft,
    mentions: draft.mentions.map((entry, position) =>
      position === mention ? { ...entry, conditions: [...entry.conditions, ...flat] } : entry,
    ),
  };
}

/** Sets the mention to which the columns and values in a condition belong, unless they already have one. */
export function setOwner(condition: Condition, owner: number): Condition {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return { ...condition, parts: condition.parts.map((part) => setOwner(part, owner)) };
    case 'value':
      return { ...condition, owner: condition.owner ?? owner };
    case 'topCount':
      return condition;
    case 'toAggregate':
      return {
        ...condition,
        column: { ...condition.column, owner: condition.column.owner ?? owner },
        where: condition.where.map((part) => setOwner(part, owner)),
      };
    default:
      return { ...condition, column: { ...condition.column, owner: condition.column.owner ?? owner } };
  }
}

/** Adds a value or rows that the statement returns. */
export function addTarget(draft: Draft, target: Target): Draft {
  return { ...draft, targets: [...draft.targets, target] };
}

/**
 * Adds a mention for a noun phrase. A table that is already mentioned is used again, unless the phrase adds
 * conditions.
 */
export function placeEntity(draft: Draft, entity: EntityPhrase, parent: number): Draft {
  const existing =
    entity.conditions.length > 0 || entity.orders.length > 0
      ? -1
      : draft.mentions.findIndex(
          (mention, position) =>
            (mention.quantity === null || position === 0) &&
            !mention.negated &&
            mention.links.some(
              (link) => link.cost < 0.5 && entity.links.some((other) => other.table === link.table),
            ),
        );
  const placed = restrictFocus(
    existing >= 0
      ? { ...draft, focus: existing }
      : addMention(draft, { links: entity.links, conditions: [] }, parent),
    entity,
  );
  return entity.limit === null ? placed : { ...placed, limit: placed.limit ?? entity.limit };
}

/** Adds the conditions, the order and the limit of a noun phrase to the current mention. */
export function restrictFocus(draft: Draft, entity: EntityPhrase): Draft {
  const id = draft.focus;
  const conditions = entity.conditions.map((condition) => setOwner(condition, id));
  const bound = addConditions(draft, id, conditions);
  if (entity.orders.length === 0) return bound;
  const orders = entity.orders.map((order) =>
    order.key.kind === 'column'
      ? { ...order, key: { ...order.key, column: { ...order.key.column, owner: id } } }
      : order,
  );
  return { ...bound, orders: [...bound.orders, ...orders], limit: bound.limit ?? entity.limit };
}
