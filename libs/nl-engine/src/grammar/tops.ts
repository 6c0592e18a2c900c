import type { LinkedQuestion } from '../link/linked-question.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Interpretation, TableLink } from '../types.js';
import { readEntities } from './noun-phrase.js';
import { matchPhrase, phraseSet, wordAt } from './reader.js';
import { addMention, advance, placeEntity } from './draft.js';

const TOP_COST = 0.35;
/** Phrases that introduce an explicit order. */
const SORTED = phraseSet(`
  by|based on|according to|in terms of|ranked|sorted|ordered|with the|that have the|who have the|having the|
  in order of
`);

/** Parses `top 3 tags` as those with the most child rows, when only one child table is possible. */
export function readTops(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const start = wordAt(q, from) === 'the' ? from + 1 : from;
  const count = q.tokens[start + 1];
  if (
    wordAt(q, start) !== 'top' ||
    count?.kind !== 'number' ||
    !Number.isInteger(count.value) ||
    interpretation.draft.mentions.length > 0
  )
    return [];
  return readEntities(q, start + 2)
    .filter((entity) => entity.value.orders.length === 0 && matchPhrase(q, entity.position, SORTED) < 0)
    .flatMap((entity) => {
      const following = findFollowing(q, entity.value.links);
      if (following === null) return [];
      const draft = placeEntity(interpretation.draft, { ...entity.value, limit: null }, -1);
      const placed = addMention(draft, { links: [following] }, draft.focus);
      return [
        advance(interpretation, entity.position, entity.cost + TOP_COST, {
          ...placed,
          targets: [...interpretation.draft.targets, { kind: 'rows', mention: draft.focus }],
          orders: [{ key: { kind: 'count', mention: placed.focus }, direction: 'desc' }],
          limit: count.value,
        }),
      ];
    });
}

/**
 * Returns the only child table, or the table on the other side of a junction table.
 * Returns null if none exists.
 */
export function findFollowing(q: LinkedQuestion, [link]: readonly TableLink[]): TableLink | null {
  if (link === undefined) return null;
  const many = (q.lexicon.graph.edges.get(link.table) ?? []).filter(
    (edge) => !edge.isToOne && edge.isDeclared,
  );
  const [only] = many;
  if (only === undefined || many.length > 1) return null;
  return { table: findTarget(q, only) ?? only.to, cost: 0 };
}

/** Returns the other table of a junction table. A junction table has no columns of its own to rank by. */
function findTarget(q: LinkedQuestion, edge: Edge): Edge['to'] | null {
  const isPairs = edge.to.columns.length <= 3 && edge.to.foreignKeys.length === 2;
  const target = (q.lexicon.graph.edges.get(edge.to) ?? []).filter(
    (next) => next.isToOne && next.to !== edge.from,
  );
  return isPairs && target.length === 1 ? (target[0]?.to ?? null) : null;
}
