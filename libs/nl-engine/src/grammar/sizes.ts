import type { LinkedQuestion } from '../link/link-question.js';
import type { Aggregate, Reading } from '../types.js';
import { readEntities } from './noun-phrase.js';
import { addConditions, addMention, advance, matchPhrase, phraseSet, putTies, skipWords } from './reader.js';
import { placeEntity } from './targets.js';

const WHICH: readonly (readonly [Aggregate, ReturnType<typeof phraseSet>])[] = [
  ['avg', phraseSet('average|mean|average number of|mean number of|average count of')],
  ['max', phraseSet('maximum number of|highest number of|largest number of|most')],
  ['min', phraseSet('minimum number of|lowest number of|smallest number of|fewest')],
];
const PER = phraseSet('per|for each|for every|of each|of every|in each|on each|by each|that each|each|a|of a|for a|of all|for all|by all|across all|of the|for');

/** Parses an aggregate over child rows per row, as in `average number of comments per published post`. */
export function readSizes(q: LinkedQuestion, reading: Reading, from: number): Reading[] {
  return WHICH.flatMap(([fn, phrases]) => {
    const at = matchPhrase(q, from, phrases);
    return at < 0 ? [] : readEntities(q, at).filter((entity) => entity.value.orders.length === 0 && !entity.value.isEach && isCounted(q, from, at, entity.at)).flatMap((counted) => {
      const per = matchPhrase(q, counted.at, PER);
      if (per < 0) return [];
      return readEntities(q, skipWords(q, per, new Set(['the']))).filter((entity) => entity.value.orders.length === 0).map((whole) => {
        const base = placeEntity(reading.draft, whole.value, -1);
        const placed = addMention(base, { links: counted.value.links }, base.focus);
        const bound = addConditions(placed, placed.focus, counted.value.conditions.map((condition) => putTies(condition, placed.focus)));
        return advance(reading, whole.at, counted.cost + whole.cost + 0.1, { ...bound, focus: base.focus, targets: [...reading.draft.targets, { kind: 'size', mention: placed.focus, fn }] });
      });
    });
  });
}

/**
 * Returns whether rows are counted, as in `average comments` and `average number of comments`.
 * `average rating` does not count ratings.
 */
function isCounted(q: LinkedQuestion, from: number, at: number, to: number): boolean {
  const last = q.tokens[to - 1];
  return q.tokens.slice(from, at).some(({ lower }) => lower === 'number' || lower === 'count') || last?.lemma !== last?.lower;
}
