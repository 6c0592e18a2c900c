import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation, Mention, Quantity, TableLink } from '../../types.js';
import { addMention, advance, findMentionOfTable, restrictFocus } from '../draft.js';
import { nestSuperlative } from '../implied-conditions/nested-superlatives.js';
import { type EntityPhrase, readEntities } from '../nouns/entity-phrases.js';
import { readQuantity } from './quantities.js';
import { type Parsed, wordAt } from '../reader.js';
import { requireRowCount, returnsSharedValues, listWithoutEmptySets } from './row-counts.js';
import { readValuesWithoutRows } from './duplicates.js';
import { type Connective, listTies } from './connectives.js';

/**
 * Parses rows of another table that a verb or preposition relates to the previously named rows, as in `who
 * have at least 2 dogs`, `taught by teachers`, `without pets` and `in departments`.
 */
export function readRelations(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (interpretation.draft.mentions.length === 0 && interpretation.draft.targets.length === 0) return [];
  return listTies(q, interpretation.position).flatMap(({ to, tie: connective, onlyAnd }) =>
    readRelated(q, interpretation, to, connective, onlyAnd),
  );
}

function readRelated(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  connective: Connective,
  onlyAnd: boolean,
): Interpretation[] {
  const { draft } = interpretation;
  const found = readQuantity(q, from);
  // In `no more than 5`, the word `no` is a part of the comparator.
  const isNone = wordAt(q, from) === 'no' && found === null;
  // `at most two` may or may not include none. Groups are never empty, so for them one interpretation is
  // sufficient.
  return [found, ...(draft.mentions.length === 0 ? [] : listWithoutEmptySets(found))]
    .flatMap((quantity) =>
      placeRelated(q, {
        interpretation,
        from,
        connective,
        onlyAnd,
        quantity,
        isNone,
        position: quantity?.position ?? (isNone ? from + 1 : from),
      }),
    )
    .flatMap((item) =>
      item.draft.orders.length > draft.orders.length ? nestSuperlative(q, item, item.draft.focus) : [item],
    );
}

interface Related {
  readonly interpretation: Interpretation;
  readonly from: number;
  readonly connective: Connective;
  readonly onlyAnd: boolean;
  readonly quantity: Parsed<Quantity> | null;
  readonly isNone: boolean;
  readonly position: number;
}

function placeRelated(q: LinkedQuestion, related: Related): Interpretation[] {
  const { interpretation, connective, quantity, isNone } = related;
  const { draft } = interpretation;
  return readEntities(q, related.position).flatMap((entity) => {
    if (isFurtherTarget(related, entity.value)) return [];
    const cost = connective.cost + entity.cost;
    if (draft.mentions.length === 0 && connective.negated !== isNone && entity.value.orders.length === 0)
      return readValuesWithoutRows(interpretation, entity.value, entity.position, cost + 0.1);
    // The number may be a number of rows with each returned value, as in `the types of schools that have two
    // schools`.
    if (
      quantity !== null &&
      !connective.negated &&
      entity.value.conditions.length === 0 &&
      returnsSharedValues(draft) &&
      findCloselyNamedMention(draft.mentions.slice(0, 1), entity.value.links) === 0
    )
      return [
        advance(
          interpretation,
          entity.position,
          cost + quantity.cost + 0.2,
          requireRowCount(draft, quantity.value),
        ),
      ];
    const parents =
      draft.mentions.length === 0
        ? [-1]
        : [...new Set(connective.isBut ? [0, draft.focus] : [draft.focus, 0])];
    return parents.map((parent, rank) => placeUnder(q, related, entity, parent, rank));
  });
}

/** Reports whether the noun is another returned value or another group instead of related rows. */
function isFurtherTarget({ interpretation, onlyAnd, quantity }: Related, entity: EntityPhrase): boolean {
  const { draft } = interpretation;
  return (
    entity.isEach ||
    (onlyAnd && findMentionOfTable(draft, entity.links) < 0) ||
    (entity.distinct &&
      quantity === null &&
      draft.targets.some(
        (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
      ))
  );
}

/**
 * Returns the index of the first mention with a name of one of these tables. Returns -1 if no mention has
 * such a name.
 */
function findCloselyNamedMention(mentions: readonly Mention[], links: readonly TableLink[]): number {
  return mentions.findIndex((mention) =>
    mention.links.some(
      (link) => link.cost < 0.5 && links.some((other) => other.table === link.table && other.cost < 0.5),
    ),
  );
}

/** Adds a mention for the rows to a parent mention, or makes an existing mention of them the current one. */
function placeUnder(
  q: LinkedQuestion,
  { interpretation, from, connective, quantity, isNone }: Related,
  { value: entity, position, cost: entityCost }: Parsed<EntityPhrase>,
  parent: number,
  rank: number,
): Interpretation {
  const { draft } = interpretation;
  const negated = connective.negated !== isNone;
  const cost = connective.cost + entityCost;
  const isUnrestricted = quantity === null && entity.conditions.length === 0;
  const existing =
    isUnrestricted && !negated && entity.orders.length === 0
      ? findCloselyNamedMention(draft.mentions, entity.links)
      : -1;
  if (existing >= 0) return advance(interpretation, position, cost + 0.3, { focus: existing });
  const base = addMention(
    draft,
    {
      links: entity.links,
      negated,
      quantity: quantity?.value ?? null,
      tie: connective.verbs,
      isAlternative: connective.isOr,
    },
    parent,
  );
  const hasAggregate = draft.targets.some(
    (target) =>
      target.kind === 'count' || target.kind === 'size' || (target.kind === 'column' && target.fn !== null),
  );
  const groupingCost = isUnrestricted && isGrouping(q, from, connective) && hasAggregate ? GROUPING_COST : 0;
  const lostDistinctCost = entity.distinct && quantity === null ? LOST_DISTINCT_COST : 0;
  return advance(
    interpretation,
    position,
    cost + (quantity?.cost ?? 0) + 0.2 * rank + groupingCost + lostDistinctCost,
    restrictFocus(base, entity),
  );
}

/**
 * The additional cost of ignoring `distinct` before related rows. The word usually applies to the returned
 * values, as in `names of all distinct customers`.
 */
const LOST_DISTINCT_COST = 0.4;

/**
 * The additional cost of interpreting `by` after a count as a relation. `how many posts by user` usually
 * means groups.
 */
const GROUPING_COST = 0.6;

/**
 * Reports whether a verb is missing before `by`, so that `by` probably means groups instead of an acting
 * person.
 */
function isGrouping(q: LinkedQuestion, from: number, connective: Connective): boolean {
  return wordAt(q, from - 1) === 'by' && connective.verbs.length === 0 && !connective.negated;
}
