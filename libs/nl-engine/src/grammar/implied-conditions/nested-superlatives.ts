import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Condition, Draft, Order, Interpretation } from '../../types.js';
import { addConditions } from '../draft.js';

/** The additional cost of limiting the result to one row if a plural asks for several rows. */
const SINGLE_ROW_COST = 0.5;

/**
 * Converts an order with a limit of one to a condition on a mention, as in `how many shops are in the largest
 * city` and `emails of the customers in the city with the most shops`. The statement then returns or counts
 * all rows that belong to the first row.
 *
 * The order remains if the question asks for one row, as in `the customer who placed the largest order`.
 */
export function nestSuperlative(
  q: LinkedQuestion,
  interpretation: Interpretation,
  mention: number,
): Interpretation[] {
  const { draft } = interpretation;
  const [order, ...more] = draft.orders;
  if (order === undefined || more.length > 0 || draft.limit !== 1 || mention < 0) return [interpretation];
  const isSummed =
    draft.targets.length > 0 &&
    draft.targets.every(
      (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
    );
  if (isSummed) return [interpretation, ...nest(interpretation, mention, order)];
  if (mention === 0 || !isPlural(q, draft, interpretation.position)) return [interpretation];
  const nested = nest(interpretation, mention, order);
  return nested.length === 0
    ? [interpretation]
    : [...nested, { ...interpretation, cost: interpretation.cost + SINGLE_ROW_COST }];
}

function nest(interpretation: Interpretation, mention: number, { key, direction }: Order): Interpretation[] {
  const condition: Condition | null =
    key.kind === 'column' && key.fn === null
      ? { kind: 'top', column: { ...key.column, owner: mention }, direction }
      : key.kind === 'count' && key.mention > 0
        ? { kind: 'topCount', mention: key.mention, direction }
        : null;
  return condition === null
    ? []
    : [
        {
          ...interpretation,
          draft: { ...addConditions(interpretation.draft, mention, [condition]), orders: [], limit: null },
        },
      ];
}

/** Reports whether a plural noun before `to` names the main rows. */
function isPlural(q: LinkedQuestion, { mentions }: Draft, to: number): boolean {
  const tables = mentions[0]?.links.filter((link) => link.cost < 0.5).map((link) => link.table) ?? [];
  return q.tokens
    .slice(0, to)
    .some(
      (token, position) =>
        token.lemma !== token.lower &&
        (q.tables[position] ?? []).some(
          (span) => span.to === position + 1 && span.links.some((link) => tables.includes(link.table)),
        ),
    );
}
