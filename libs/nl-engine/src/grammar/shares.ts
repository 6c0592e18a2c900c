import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { readEntities } from './noun-phrase.js';
import { matchPhrase, phraseSet, skipWords } from './reader.js';
import { advance, placeEntity } from './draft.js';
import { wordSet } from '../words/word-set.js';

const SHARE = phraseSet(`
  percentage of|percent of|the percentage of|the percent of|share of|the share of|proportion of|
  the proportion of|fraction of|the fraction of|% of|percentage of all|percent of all
`);

/**
 * Parses `what percentage of posts are published`.
 * Conditions before the noun define the whole, and conditions after it the part.
 */
export function readShare(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const position = matchPhrase(q, from, SHARE);
  if (position < 0 || interpretation.draft.mentions.length > 0) return [];
  return readEntities(q, skipWords(q, position, wordSet('the all our')))
    .filter((entity) => entity.value.orders.length === 0 && !entity.value.isEach)
    .map((entity) => {
      const draft = placeEntity(interpretation.draft, entity.value, -1);
      return advance(interpretation, entity.position, entity.cost, {
        ...draft,
        targets: [{ kind: 'share', mention: draft.focus, wholeConditions: entity.value.conditions.length }],
      });
    });
}
