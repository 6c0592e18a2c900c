import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { LEADS } from '../words/lead-phrases.js';
import { isVerb } from '../words/verbs.js';
import { readGroups } from './groups/groups.js';
import { readEntities } from './nouns/entity-phrases.js';
import { matchPhrase, phraseSet, skipWords, wordAt } from './reader.js';
import { addMention, EMPTY_DRAFT, placeEntity } from './draft.js';
import { readMostCommon } from './orders/most-common.js';
import { readTargets } from './targets/targets.js';
import { readWhenAndWhere } from './targets/when-and-where.js';
import { wordSet } from '../words/word-set.js';

const MARKS = wordSet('. ? ! , ; :');
const AFTER_LEAD = wordSet('the all of me us , number?');
const AMONG = phraseSet(`
  among|among all|among the|among all the|of all|of all the|of the|out of all|out of all the|from all the|
  from the|considering all|considering all the|for|for the|for all|for all the|in the
`);

const PREPOSITIONS = wordSet('in at on from to for with by');

/**
 * Returns the interpretations of the beginning of a question, up to the first returned values, groups or
 * rows.
 */
export function readOpenings(q: LinkedQuestion): Interpretation[] {
  const empty: Interpretation = { position: 0, cost: 0, draft: EMPTY_DRAFT };
  const groups = readGroups(q, empty);
  const started = [
    empty,
    ...groups.map((interpretation) => ({
      ...interpretation,
      position: skipWords(q, interpretation.position, MARKS),
    })),
  ];
  return [
    ...groups
      .filter((interpretation) => interpretation.draft.mentions.length > 0)
      .map((interpretation) => ({ ...interpretation, cost: interpretation.cost + 0.1 })),
    ...readAmong(q, empty),
    ...readWhenAndWhere(q, empty),
    ...started.flatMap((interpretation) => {
      const lead = matchPhrase(q, interpretation.position, LEADS);
      const position = skipWords(q, lead > 0 ? lead : interpretation.position, AFTER_LEAD);
      // A question may begin with a preposition, as in `In how many states are the banks?`.
      const counted =
        PREPOSITIONS.has(wordAt(q, interpretation.position)) &&
        wordAt(q, interpretation.position + 1) === 'how'
          ? interpretation.position + 1
          : interpretation.position;
      const starts = [
        ...new Set([interpretation.position, counted, lead > 0 ? lead : interpretation.position, position]),
      ];
      return starts.flatMap((start) => {
        const from = { ...interpretation, position: start };
        return [
          ...(asksForAgent(q, start) ? [] : readTargets(q, from)),
          ...readMostCommon(q, from),
          ...readWho(q, from),
        ];
      });
    }),
  ];
}

/**
 * Parses rows that the question names before its request, as in `Among all the claims, …` and `For the
 * problem with id 10, …`.
 */
function readAmong(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchPhrase(q, interpretation.position, AMONG);
  if (position < 0) return [];
  return readEntities(q, position)
    .filter((entity) => !entity.value.isEach)
    .map((entity) => ({
      position: entity.position,
      cost: entity.cost + 0.1,
      draft: placeEntity(interpretation.draft, entity.value, -1),
    }));
}

/**
 * Reports whether `who` asks for a person who did something, as in `who bought …`, instead of the date of
 * that event.
 */
function asksForAgent(q: LinkedQuestion, position: number): boolean {
  return (
    wordAt(q, position - 1) === 'who' &&
    isVerb(wordAt(q, position)) &&
    (q.tables[position] ?? []).length === 0
  );
}

/** Parses `who` as the rows of a table of people, as in `who commented most`. */
function readWho(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (wordAt(q, interpretation.position) !== 'who' || q.lexicon.people.length === 0) return [];
  const draft = addMention(interpretation.draft, { links: q.lexicon.people }, -1);
  return [
    {
      position: interpretation.position + 1,
      cost: interpretation.cost + 0.1,
      draft: { ...draft, targets: [{ kind: 'rows', mention: draft.focus }] },
    },
  ];
}
