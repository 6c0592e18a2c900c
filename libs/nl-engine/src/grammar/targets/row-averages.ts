import { wordSet } from '../../words/word-set.js';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Aggregate, Interpretation } from '../../types.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { matchPhrase, phraseSet, skipWords } from '../reader.js';
import { addConditions, addMention, advance, placeEntity, setOwner } from '../draft.js';

const AGGREGATES_OF_COUNTS: readonly (readonly [Aggregate, ReturnType<typeof phraseSet>])[] = [
  ['avg', phraseSet('average|mean|average number of|mean number of|average count of')],
  ['max', phraseSet('maximum number of|highest number of|largest number of|most')],
  ['min', phraseSet('minimum number of|lowest number of|smallest number of|fewest')],
];
const BEFORE_PARENT = phraseSet(`
  per|for each|for every|of each|of every|in each|on each|by each|that each|each|a|of a|for a|of all|
  for all|by all|across all|of the|for
`);

/**
 * Parses an aggregate of the number of child rows that each parent row has, as in `average number of comments
 * per published post`.
 */
export function readCountsPerRow(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  return AGGREGATES_OF_COUNTS.flatMap(([fn, phrases]) => {
    const position = matchPhrase(q, from, phrases);
    return position < 0
      ? []
      : readEntities(q, position)
          .filter(
            (entity) =>
              entity.value.orders.length === 0 &&
              !entity.value.isEach &&
              countsRows(q, from, position, entity.position),
          )
          .flatMap((counted) => {
            const per = matchPhrase(q, counted.position, BEFORE_PARENT);
            if (per < 0) return [];
            return readEntities(q, skipWords(q, per, wordSet('the')))
              .filter((entity) => entity.value.orders.length === 0)
              .map((whole) => {
                const base = placeEntity(interpretation.draft, whole.value, -1);
                const placed = addMention(base, { links: counted.value.links }, base.focus);
                const bound = addConditions(
                  placed,
                  placed.focus,
                  counted.value.conditions.map((condition) => setOwner(condition, placed.focus)),
                );
                return advance(interpretation, whole.position, counted.cost + whole.cost + 0.1, {
                  ...bound,
                  focus: base.focus,
                  targets: [...interpretation.draft.targets, { kind: 'size', mention: placed.focus, fn }],
                });
              });
          });
  });
}

/**
 * Reports whether the aggregate is computed over row counts, as in `average comments` and `average number of
 * comments`. A singular without `number of` means a column instead, as in `average rating`.
 */
function countsRows(q: LinkedQuestion, from: number, position: number, to: number): boolean {
  const last = q.tokens[to - 1];
  return (
    q.tokens.slice(from, position).some(({ lower }) => lower === 'number' || lower === 'count') ||
    last?.lemma !== last?.lower
  );
}
