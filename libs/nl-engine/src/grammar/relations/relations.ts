import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Draft, Interpretation, Order, Quantity } from '../../types.js';
import { addConditions, addMention, advance, findSame, type placeEntity, putTies } from '../draft.js';
import { readNested } from '../nested.js';
import { readEntities } from '../noun-phrase.js';
import { readQuantity } from '../quantities.js';
import { type Parsed, wordAt } from '../reader.js';
import { countRows, isOfValues, listWithSome } from '../times.js';
import { readDuplicate } from '../twins.js';
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
        reading: interpretation,
        from,
        tie: connective,
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
  readonly reading: Interpretation;
  readonly from: number;
  readonly tie: Connective;
  readonly onlyAnd: boolean;
  readonly quantity: Parsed<Quantity> | null;
  readonly isNone: boolean;
  readonly position: number;
}

function placeRelated(
  q: LinkedQuestion,
  { reading: interpretation, from, tie: connective, onlyAnd, quantity, isNone, position }: Related,
): Interpretation[] {
  const { draft } = interpretation;
  return readEntities(q, position).flatMap((entity) => {
    if (
      entity.value.isEach ||
      (onlyAnd && findSame(draft, entity.value.links) < 0) ||
      (entity.value.distinct &&
        quantity === null &&
        draft.targets.some(
          (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
        ))
    )
      return [];
    if (draft.mentions.length === 0 && connective.negated !== isNone && entity.value.orders.length === 0)
      return readDuplicate(
        interpretation,
        entity.value,
        entity.position,
        connective.cost + entity.cost + 0.1,
      );
    // In `the types of schools that have two schools`, the number counts the rows with each value.
    if (
      quantity !== null &&
      !connective.negated &&
      entity.value.conditions.length === 0 &&
      isOfValues(draft) &&
      draft.mentions[0]?.links.some(
        (link) =>
          link.cost < 0.5 &&
          entity.value.links.some((other) => other.table === link.table && other.cost < 0.5),
      ) === true
    )
      return [
        advance(
          interpretation,
          entity.position,
          connective.cost + entity.cost + quantity.cost + 0.2,
          countRows(draft, quantity.value),
        ),
      ];
    const parents =
      draft.mentions.length === 0
        ? [-1]
        : [...new Set(connective.isBut ? [0, draft.focus] : [draft.focus, 0])];
    return parents.map((parent, rank) => {
      const negated = connective.negated !== isNone;
      const same =
        quantity === null &&
        !negated &&
        entity.value.conditions.length === 0 &&
        entity.value.orders.length === 0
          ? draft.mentions.findIndex((mention) =>
              mention.links.some(
                (link) =>
                  link.cost < 0.5 &&
                  entity.value.links.some((other) => other.table === link.table && other.cost < 0.5),
              ),
            )
          : -1;
      if (same >= 0)
        return advance(interpretation, entity.position, connective.cost + entity.cost + 0.3, { focus: same });
      const base = addMention(
        draft,
        {
          links: entity.value.links,
          negated,
          quantity: quantity?.value ?? null,
          tie: connective.ties,
          isAlternative: connective.isOr,
        },
        parent,
      );
      const placed = placeAfter(base, entity.value);
      const grouping =
        quantity === null &&
        isGrouping(q, from, connective) &&
        entity.value.conditions.length === 0 &&
        draft.targets.some(
          (target) =>
            target.kind === 'count' ||
            target.kind === 'size' ||
            (target.kind === 'column' && target.fn !== null),
        )
          ? GROUPING_COST
          : 0;
      return advance(
        interpretation,
        entity.position,
        connective.cost +
          entity.cost +
          (quantity?.cost ?? 0) +
          0.2 * rank +
          grouping +
          (entity.value.distinct && quantity === null ? LOST_DISTINCT_COST : 0),
        placed,
      );
    });
  });
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

function placeAfter(draft: Draft, entity: Parameters<typeof placeEntity>[1]): Draft {
  const id = draft.focus;
  const bound = addConditions(
    draft,
    id,
    entity.conditions.map((condition) => putTies(condition, id)),
  );
  const orders = entity.orders.map((order): Order =>
    order.key.kind === 'column'
      ? { ...order, key: { ...order.key, column: { ...order.key.column, owner: id } } }
      : order,
  );
  return orders.length === 0
    ? bound
    : { ...bound, orders: [...bound.orders, ...orders], limit: bound.limit ?? entity.limit };
}
