import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';
import { advance } from './draft.js';
import { EACH, MARKS } from './word-classes.js';
import { matchPhrase, phraseSet, skipBack, skipWords, wordAt } from './reader.js';

/** The cost of each skipped unknown word. */
const UNMATCHED_COST = 0.7;

/** The maximum number of skipped unknown words in a question. */
const UNMATCHED_MAX = 2;

const LIST_SEPARATORS = wordSet(', and or &');

/** Words after which a word is a statement about the rows, and must not be skipped. */
const BEFORE_PREDICATE = wordSet(`
  is are was were be been being not no never without who whom that which do does did can has have had only
  also
`);

/** Nouns that ask for an attribute of the noun before them. */
const ATTRIBUTE_NOUNS = wordSet(`
  code value date id time type kind status title level percentage detail description address price year size
  rank rate score
`);

const SENTENCE_ENDS = new Set(['.', '?', '!', '']);

/** Skips punctuation that has no meaning of its own. */
export function skipMark(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = skipWords(q, interpretation.position, MARKS);
  return position === interpretation.position ? [] : [advance(interpretation, position, 0)];
}

const AUXILIARY_VERBS = wordSet('do does did have has had is are was were can');

const PREPOSITIONS_AT_END = wordSet('in to on at for from with by of about');

/**
 * Skips the last verb of a question if its subject precedes it, as in `How many courses does the student
 * attend?`.
 */
export function skipLastVerb(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const word = wordAt(q, interpretation.position);
  // A capitalized word that is a stored value is not a verb, such as `Books` in `the category Books`.
  const isNamed =
    q.tokens[interpretation.position]?.isCapital === true &&
    (q.values[interpretation.position] ?? []).length > 0;
  const isKnown = isVerb(word) && !isNamed;
  if (
    interpretation.draft.mentions.length === 0 ||
    isFunctionWord(word) ||
    (!isKnown && q.tokens[interpretation.position]?.kind !== 'word')
  )
    return [];
  const to = skipWords(q, interpretation.position + 1, PREPOSITIONS_AT_END);
  if (q.tokens[to] !== undefined && !MARKS.has(wordAt(q, to))) return [];
  const { mentions, focus } = interpretation.draft;
  const agent = mentions[focus];
  // A verb directly after the person who acts relates this person to other rows, as in `papers the author Ada
  // Birch wrote`.
  if (
    isKnown &&
    focus > 0 &&
    agent !== undefined &&
    agent.tie.length === 0 &&
    agent.conditions.length > 0 &&
    !isFunctionWord(wordAt(q, skipBack(q, interpretation.position - 1, FORMS_OF_BE)))
  )
    return [
      advance(interpretation, to, 0.15, {
        mentions: mentions.map((mention, position) =>
          position === focus ? { ...mention, tie: [word] } : mention,
        ),
      }),
    ];
  const askingAt = q.tokens.findIndex((token) => AUXILIARY_VERBS.has(token.lower));
  const isBehindSubject =
    askingAt >= 0 &&
    askingAt < interpretation.position - 1 &&
    !isFunctionWord(wordAt(q, interpretation.position - 1));
  const isLinked = [q.tables, q.columns, q.values].some(
    (spans) => (spans[interpretation.position] ?? []).length > 0,
  );
  const isBaseForm =
    ['do', 'does', 'did'].includes(q.tokens[askingAt]?.lower ?? '') &&
    q.tokens[interpretation.position]?.isCapital !== true;
  return isBehindSubject && (isKnown || (!isLinked && isBaseForm))
    ? [advance(interpretation, to, isKnown ? 0.1 : 0.45)]
    : [];
}

const FORMS_OF_BE = wordSet('was were is are has have had been');

/**
 * Skips a clause whose subject is a pronoun for rows that were mentioned before, as in `the team they play
 * for`.
 */
export function skipPronoun(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const start = ['that', 'which', 'who', 'whom', 'where', 'when'].includes(wordAt(q, interpretation.position))
    ? interpretation.position + 1
    : interpretation.position;
  if (!['they', 'he', 'she', 'it'].includes(wordAt(q, start)) || interpretation.draft.mentions.length === 0)
    return [];
  let position = start + 1;
  while (position < start + 7 && (PRONOUN_TAIL.has(wordAt(q, position)) || isVerb(wordAt(q, position))))
    position += 1;
  return position > start + 1 ? [advance(interpretation, position, 0.2)] : [];
}

const PRONOUN_TAIL = wordSet(`
  or he she it are is was were have has had do does did part of in on at for with to from by been correspond
  advise advises
`);

const EMPTY_PHRASES = phraseSet(`
  of origin|of residence|for the one|for the ones|of the one|of the ones|of those|for those|for all those|
  for any|those|in our record|in our records|in the record|in the records|in their record|in their records|
  on record|on file|are there|is there|do we have|there are|there is|there were|there was|were there|
  was there|are|is|do|does|did|that are|which are|in the database|in total|who are|currently|in the list|
  there
`);

/** Skips phrases that add no meaning, such as `in our records` and `are there`. */
export function skipEmptyPhrase(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  // After a word such as `except`, these phrases begin a condition, as in `except for those with …`.
  if (['except', 'excluding', 'besides', 'than'].includes(wordAt(q, interpretation.position - 1))) return [];
  const position = matchPhrase(q, interpretation.position, EMPTY_PHRASES);
  return position < 0 ? [] : [advance(interpretation, position, 0.15)];
}

/**
 * Skips an unknown word that probably only qualifies a known name, such as `gold` in `the number of gold
 * medals`. Each skipped word is reported as an assumption and reduces the confidence.
 *
 * Words that may be a verb, a returned value, a group, a predicate or the name of a row are never skipped.
 */
export function readUnmatched(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { position, draft } = interpretation;
  if (draft.unmatched.length >= UNMATCHED_MAX || draft.targets.length === 0 || !isUnmatched(q, position))
    return [];
  const [before, following] = [wordAt(q, position - 1), wordAt(q, position + 1)];
  const isListed =
    LIST_SEPARATORS.has(before) && (LIST_SEPARATORS.has(following) || SENTENCE_ENDS.has(following));
  const isStated =
    BEFORE_PREDICATE.has(before) || isVerb(wordAt(q, position)) || /(ed|ing)$/.test(wordAt(q, position));
  const isKind = [q.tables, q.columns].some((spans) => (spans[position + 1] ?? []).length > 0);
  if (
    isListed ||
    isStated ||
    isKind ||
    isName(q, position) ||
    EACH.has(before) ||
    EACH.has(wordAt(q, position - 2))
  )
    return [];
  return [
    advance(interpretation, position + 1, UNMATCHED_COST, { unmatched: [...draft.unmatched, position] }),
  ];
}

/**
 * Reports whether the word is probably the name of a row, because a table precedes it, as in `product
 * voluptatem`.
 */
function isName(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token?.lemma === token?.lower && q.tables.some((spans) => spans.some((span) => span.to === position))
  );
}

function isUnmatched(q: LinkedQuestion, position: number): boolean {
  const token = q.tokens[position];
  return (
    token?.kind === 'word' &&
    !token.isCapital &&
    !/\d/.test(token.text) &&
    !isFunctionWord(token.lower) &&
    !isFunctionWord(token.lemma) &&
    !ATTRIBUTE_NOUNS.has(token.lemma) &&
    [q.tables, q.columns, q.values].every((spans) => (spans[position] ?? []).length === 0)
  );
}
