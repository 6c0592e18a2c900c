import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Draft, Interpretation } from '../../types.js';
import { LEADS } from '../../words/lead-phrases.js';
import { isVerb } from '../../words/verbs.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, type Parsed, skipWords, wordAt } from '../reader.js';
import { EACH } from '../word-classes.js';
import { advance, findMentionOfTable } from '../draft.js';
import { wordSet } from '../../words/word-set.js';

const CONJUNCTIONS = phraseSet(`
  and|, and|,|with|along with|, along with|and also|as well as|, as well as|together with|and return|
  and show|and list|and find
`);
const COUNT_PHRASES = phraseSet(`
  the count|their count|its count|the counts|their counts|count|counts|the number|their number|its number|
  number|the number of them|number of them|the number of each|how many|how many of them|how many there are|
  how many are there|how many of them there are|how many of them are there|the corresponding count|
  the corresponding number|the total count|the frequency|the number of times|the number of occurrences|
  their counts|the count of each|the respective count|count of them
`);
/** Words that may follow a count that does not name the counted rows. */
const AFTER_BARE_COUNT = wordSet(`
  in for are there is do does did has have had ordered sorted from by to in were was correspond
`);

/**
 * Parses a request for a count that does not name the counted rows, such as `and the count` or `and how many
 * there are`. They are the rows that the order counts, or those of the main mention.
 */
export function readBareCount(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const join = Math.max(
    matchPhrase(q, interpretation.position, CONJUNCTIONS),
    matchSentence(q, interpretation.position),
  );
  const position = join < 0 ? -1 : matchPhrase(q, join, COUNT_PHRASES);
  if (position < 0 || draft.targets.length === 0 || !endsCount(q, position)) return [];
  if (draft.targets.some((target) => target.kind === 'count'))
    return [advance(interpretation, position, 0.05)];
  const mention = findCounted(draft);
  const wouldCountEachRowOnce = draft.targets.some(
    (target) => target.kind === 'rows' && target.mention === mention,
  );
  return mention < 0 || wouldCountEachRowOnce
    ? []
    : [
        advance(interpretation, position, 0.15, {
          targets: [...draft.targets, { kind: 'count', mention, distinct: false }],
        }),
      ];
}

const BEFORE_SENTENCE = wordSet('. ? , ; and also');

/**
 * Returns the index after a request that begins a new sentence, as in `… Also list the count.` Returns -1 if
 * no such request follows.
 */
function matchSentence(q: LinkedQuestion, from: number): number {
  const position = skipWords(q, from, BEFORE_SENTENCE);
  return position === from ? -1 : matchPhrase(q, position, LEADS);
}

const NUMBER_OF = phraseSet(
  'how many|number of|the number of|the total number of|the count of|the corresponding number of',
);

/**
 * Parses a request to return the count by which the rows are already sorted, as in `which customer has the
 * most cards, and how many cards does he have?`.
 */
export function readOrderedCount(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const join = matchPhrase(q, interpretation.position, CONJUNCTIONS);
  const position = join < 0 ? -1 : matchPhrase(q, join, NUMBER_OF);
  const key = draft.orders.find((order) => order.key.kind === 'count')?.key;
  if (
    position < 0 ||
    draft.limit === null ||
    key?.kind !== 'count' ||
    draft.targets.some((target) => target.kind === 'count')
  )
    return [];
  const counted = draft.mentions[key.mention];
  return readEntities(q, position)
    .filter(
      (entity) =>
        entity.value.conditions.length === 0 &&
        counted?.links.some((link) => entity.value.links.some((other) => other.table === link.table)) ===
          true,
    )
    .map((entity) =>
      advance(interpretation, entity.position, entity.cost + 0.1, {
        targets: [...draft.targets, { kind: 'count', mention: key.mention, distinct: false }],
      }),
    );
}

function endsCount(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  // After `of`, only a pronoun or `each` refers back. `the number of stations` names the counted rows.
  if (token?.lower === 'of')
    return EACH.has(wordAt(q, position + 1)) || ['them', 'these', 'those'].includes(wordAt(q, position + 1));
  return token === undefined || token.kind === 'mark' || AFTER_BARE_COUNT.has(token.lower);
}

/**
 * Returns the index of a mention. It is the one whose rows the order counts. Without such an order, returns 0
 * for the main mention if it is the only one, and -1 otherwise.
 */
function findCounted(draft: Draft): number {
  const counted = draft.orders.find(({ key }) => key.kind === 'count')?.key;
  if (counted?.kind === 'count') return counted.mention;
  return draft.mentions.filter((mention) => !mention.negated).length > 1 && draft.orders.length === 0
    ? -1
    : 0;
}

const BEFORE_BACK_REFERENCE = wordSet(`
  are is do does did has have had was were been there in of for to from by at on with can
`);
const AFTER_BACK_REFERENCE = wordSet(`
  have has had been to in of for with by at on from is are was were currently there
`);
const STEPS_MAX = 4;

/**
 * Parses words after a count that only refer back to the returned rows, as in `and how many flights does each
 * one complete` and `are in each type`.
 */
export function readEachAgain(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const showsValues =
    draft.targets.some(
      (target) => target.kind === 'rows' || (target.kind === 'column' && target.fn === null),
    ) || draft.groups.length > 0;
  const isSummed = draft.targets.some(
    (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
  );
  if (!showsValues || !isSummed) return [];
  const start = skipFunctionWords(q, interpretation.position, BEFORE_BACK_REFERENCE);
  return listBackReferences(q, start, draft).flatMap(({ position, cost }) => {
    const end = skipFunctionWords(q, position, AFTER_BACK_REFERENCE);
    const token = q.tokens[end];
    return token === undefined ||
      token.kind === 'mark' ||
      ['ordered', 'sorted', 'order', 'sort'].includes(token.lower)
      ? [advance(interpretation, end, cost)]
      : [];
  });
}

/** Parses a verb with a pronoun for the returned rows, as in `the number of reviews written by them`. */
export function readByThem(q: LinkedQuestion, { position, ...state }: Interpretation): Interpretation[] {
  const by = matchPhrase(
    q,
    position + 1,
    phraseSet(`
      by them|by him|by her|by it|by each of them|by each|by each one|to them|to it|to each|from it|
      from them
    `),
  );
  return isVerb(wordAt(q, position)) &&
    by > 0 &&
    isClauseEnd(q, by) &&
    state.draft.mentions.length + state.draft.groups.length > 1
    ? [advance({ position, ...state }, by, 0.15)]
    : [];
}

/**
 * Returns the possible ends of phrases for returned rows, such as `each one`, `each of them`, `they` or `each
 * type`.
 */
function listBackReferences(q: LinkedQuestion, from: number, draft: Draft): Parsed<null>[] {
  if (['they', 'it', 'he', 'she'].includes(wordAt(q, from)))
    return [{ position: from + 1, cost: 0.15, value: null }];
  if (['this', 'that'].includes(wordAt(q, from)) && q.tokens[from + 1]?.kind === 'word')
    return [{ position: from + 2, cost: 0.2, value: null }];
  // In `the number of members the clubs have`, the last three words only repeat the returned clubs.
  if (wordAt(q, from) === 'the' && endsWithHave(q, from))
    return readEntities(q, from)
      .filter(
        (entity) =>
          entity.value.conditions.length + entity.value.orders.length === 0 &&
          findMentionOfTable(draft, entity.value.links) >= 0,
      )
      .map((entity) => ({ position: entity.position, cost: entity.cost + 0.1, value: null }));
  if (!EACH.has(wordAt(q, from))) return [];
  const found: Parsed<null>[] = [
    {
      position: Math.max(
        from + 1,
        matchPhrase(q, from + 1, phraseSet('one|of them|of these|of those|one of them|group|respectively')),
      ),
      cost: 0.15,
      value: null,
    },
  ];
  for (const entity of readEntities(q, from))
    if (entity.value.conditions.length === 0 && findMentionOfTable(draft, entity.value.links) >= 0)
      found.push({ position: entity.position, cost: entity.cost + 0.1, value: null });
  const visible = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? target.column.links : [],
  );
  for (const column of readColumns(q, from))
    if (column.value.links.some((link) => visible.some((other) => other.column === link.column)))
      found.push({ position: column.position, cost: column.cost + 0.1, value: null });
  return found;
}

/** Reports whether the clause ends with a form of `have`. */
function endsWithHave(q: LinkedQuestion, from: number): boolean {
  const end = q.tokens.findIndex(({ kind }, position) => position > from && kind === 'mark');
  return ['have', 'has', 'had'].includes(wordAt(q, (end < 0 ? q.tokens.length : end) - 1));
}

/** Skips function words, and verbs between them. */
function skipFunctionWords(q: LinkedQuestion, from: number, words: ReadonlySet<string>): number {
  let position = from;
  while (
    position < from + STEPS_MAX &&
    (words.has(wordAt(q, position)) ||
      (isVerb(wordAt(q, position)) && (q.tables[position] ?? []).length === 0) ||
      (words === AFTER_BACK_REFERENCE && position === from && isBaseVerb(q, position)))
  )
    position += 1;
  return position;
}

/**
 * Reports whether an unknown word at the end must be a verb, because a form of `do` precedes it, as in `does
 * each one complete`.
 */
function isBaseVerb(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token?.kind === 'word' &&
    !token.isCapital &&
    isClauseEnd(q, position + 1) &&
    q.tokens
      .slice(Math.max(0, position - 6), position)
      .some(({ lower }) => lower === 'does' || lower === 'do' || lower === 'did') &&
    [q.tables, q.columns, q.values].every((spans) => (spans[position] ?? []).length === 0)
  );
}

function isClauseEnd(q: LinkedQuestion, position: number): boolean {
  return q.tokens[position] === undefined || q.tokens[position]?.kind === 'mark';
}
