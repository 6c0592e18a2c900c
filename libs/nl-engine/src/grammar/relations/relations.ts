import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation, Mention, Quantity, TableLink } from '../../types.js';
import { addMention, advance, findSame, restrictFocus } from '../draft.js';
import { readNested } from '../implied-conditions/nested-superlatives.js';
import { type EntityPhrase, readEntities } from '../nouns/entity-phrases.js';
import { readQuantity } from './quantities.js';
import { type Parsed, wordAt } from '../reader.js';
import { countRows, isOfValues, listWithSome } from './row-counts.js';
import { readDuplicate } from './duplicates.js';
import { type Connective, listTies } from './connectives.js';

/**
 * Parses related rows: `who have at least 2 dogs`, `taught by teachers`, `without pets`, `in departments`.
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
  // In `no more than 5`, the word `no` belongs to the comparator.
  const isNone = wordAt(q, from) === 'no' && found === null;
  // `at most two` is also read without empty sets, except for groups, which are never empty.
  return [found, ...(draft.mentions.length === 0 ? [] : listWithSome(found))]
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
      item.draft.orders.length > draft.orders.length ? readNested(q, item, item.draft.focus) : [item],
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
    if (isOtherTarget(related, entity.value)) return [];
    const cost = connective.cost + entity.cost;
    if (draft.mentions.length === 0 && connective.negated !== isNone && entity.value.orders.length === 0)
      return readDuplicate(interpretation, entity.value, entity.position, cost + 0.1);
    // In `the types of schools that have two schools`, the number counts the rows with each value.
    if (
      quantity !== null &&
      !connective.negated &&
      entity.value.conditions.length === 0 &&
      isOfValues(draft) &&
      findNamedMention(draft.mentions.slice(0, 1), entity.value.links) === 0
    )
      return [
        advance(
          interpretation,
          entity.position,
          cost + quantity.cost + 0.2,
          countRows(draft, quantity.value),
        ),
      ];
    const parents =
      draft.mentions.length === 0
        ? [-1]
        : [...new Set(connective.isBut ? [0, draft.focus] : [draft.focus, 0])];
    return parents.map((parent, rank) => placeUnder(q, related, entity, parent, rank));
  });
}

/** Returns whether the noun is a further thing to show or to count instead of related rows. */
function isOtherTarget({ interpretation, onlyAnd, quantity }: Related, entity: EntityPhrase): boolean {
  const { draft } = interpretation;
  return (
    entity.isEach ||
    (onlyAnd && findSame(draft, entity.links) < 0) ||
    (entity.distinct &&
      quantity === null &&
      draft.targets.some(
        (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
      ))
  );
}

/** Returns the index of the first mention with a name of one of these tables, or -1. */
function findNamedMention(mentions: readonly Mention[], links: readonly TableLink[]): number {
  return mentions.findIndex((mention) =>
    mention.links.some(
      (link) => link.cost < 0.5 && links.some((other) => other.table === link.table && other.cost < 0.5),
    ),
  );
}

/** Adds the rows under a parent, or returns to rows that are already mentioned. */
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
  const isPlain = quantity === null && entity.conditions.length === 0;
  const same =
    isPlain && !negated && entity.orders.length === 0 ? findNamedMention(draft.mentions, entity.links) : -1;
  if (same >= 0) return advance(interpretation, position, cost + 0.3, { focus: same });
  const base = addMention(
    draft,
    {
      links: entity.links,
      negated,
      quantity: quantity?.value ?? null,
      tie: connective.ties,
      isAlternative: connective.isOr,
    },
    parent,
  );
  const hasAggregate = draft.targets.some(
    (target) =>
      target.kind === 'count' || target.kind === 'size' || (target.kind === 'column' && target.fn !== null),
  );
  const grouping = isPlain && isGrouping(q, from, connective) && hasAggregate ? GROUPING_COST : 0;
  const lostDistinct = entity.distinct && quantity === null ? LOST_DISTINCT_COST : 0;
  return advance(
    interpretation,
    position,
    cost + (quantity?.cost ?? 0) + 0.2 * rank + grouping + lostDistinct,
    restrictFocus(base, entity),
  );
}

/**
 * The extra cost of dropping a `distinct` that belongs to
 * what is shown, as in `names of all distinct customers`.
 */
const LOST_DISTINCT_COST = 0.4;

/** The extra cost of reading `how many posts by user` as posts that have a user. */
const GROUPING_COST = 0.6;

/** Returns whether `by` follows no verb, and therefore groups. */
function isGrouping(q: LinkedQuestion, from: number, connective: Connective): boolean {
  return wordAt(q, from - 1) === 'by' && connective.ties.length === 0 && !connective.negated;
}
