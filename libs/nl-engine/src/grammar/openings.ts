import type { LinkedQuestion } from '../link/link-question.js';
import type { Reading } from '../types.js';
import { LEADS } from '../words/lead-phrases.js';
import { isVerb } from '../words/verbs.js';
import { readGroups } from './groups.js';
import { readEntities } from './noun-phrase.js';
import { addMention, EMPTY_DRAFT, matchPhrase, phraseSet, skipWords, wordAt } from './reader.js';
import { readMostCommon } from './superlatives.js';
import { placeEntity, readTargets } from './targets.js';
import { readWhenAndWhere } from './when-and-where.js';

const MARKS = new Set(['.', '?', '!', ',', ';', ':']);
const SMALL = new Set(['the', 'all', 'of', 'me', 'us', ',', 'number?']);
const AMONG = phraseSet('among|among all|among the|among all the|of all|of all the|of the|out of all|out of all the|from all the|from the|considering all|considering all the|for|for the|for all|for all the|in the');

const IN = new Set(['in', 'at', 'on', 'from', 'to', 'for', 'with', 'by']);

/** Parses the start of a question. */
export function readOpenings(q: LinkedQuestion): Reading[] {
  const empty: Reading = { at: 0, cost: 0, draft: EMPTY_DRAFT };
  const groups = readGroups(q, empty);
  const begun = [empty, ...groups.map((reading) => ({ ...reading, at: skipWords(q, reading.at, MARKS) }))];
  return [...groups.filter((reading) => reading.draft.mentions.length > 0).map((reading) => ({ ...reading, cost: reading.cost + 0.1 })), ...readAmong(q, empty), ...readWhenAndWhere(q, empty), ...begun.flatMap((reading) => {
    const lead = matchPhrase(q, reading.at, LEADS);
    const at = skipWords(q, lead > 0 ? lead : reading.at, SMALL);
    // `In how many states are the banks?` may start with a preposition.
    const counted = IN.has(wordAt(q, reading.at)) && wordAt(q, reading.at + 1) === 'how' ? reading.at + 1 : reading.at;
    const places = [...new Set([reading.at, counted, lead > 0 ? lead : reading.at, at])];
    return places.flatMap((place) => {
      const from = { ...reading, at: place };
      return [...(asksWhoDid(q, place) ? [] : readTargets(q, from)), ...readMostCommon(q, from), ...readWho(q, from)];
    });
  })];
}

/**
 * Parses rows before a comma and the request after it:
 * `Among all the claims, …`, `For the problem with id 10, …`.
 */
function readAmong(q: LinkedQuestion, reading: Reading): Reading[] {
  const at = matchPhrase(q, reading.at, AMONG);
  if (at < 0) return [];
  return readEntities(q, at).filter((entity) => !entity.value.isEach).map((entity) => ({ at: entity.at, cost: entity.cost + 0.1, draft: placeEntity(reading.draft, entity.value, -1) }));
}

/**
 * Returns whether `who` asks for a person who did something,
 * as in `who bought …`, rather than for a date of that event.
 */
function asksWhoDid(q: LinkedQuestion, at: number): boolean {
  return wordAt(q, at - 1) === 'who' && isVerb(wordAt(q, at)) && (q.tables[at] ?? []).length === 0;
}

/** Parses `who commented most` with people as its rows. */
function readWho(q: LinkedQuestion, reading: Reading): Reading[] {
  if (wordAt(q, reading.at) !== 'who' || q.lexicon.people.length === 0) return [];
  const draft = addMention(reading.draft, { links: q.lexicon.people }, -1);
  return [{ at: reading.at + 1, cost: reading.cost + 0.1, draft: { ...draft, targets: [{ kind: 'rows', mention: draft.focus }] } }];
}
