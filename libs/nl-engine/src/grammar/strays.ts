import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb } from '../words/verbs.js';
import { wordAt } from './reader.js';
import { EACH } from './word-classes.js';
import { advance } from './draft.js';
import { wordSet } from '../words/word-set.js';

/** The cost of a skipped word. `STRAYS_MAX` limits the skipped words of a question. */
const STRAY_COST = 0.7;
const STRAYS_MAX = 2;
const LISTS = wordSet(', and or &');
/** Words after which a word makes a statement about the rows. */
const SAYING = wordSet(`
  is are was were be been being not no never without who whom that which do does did can has have had only
  also
`);
/** Nouns that ask for a detail of the noun before them. */
const KINDS = wordSet(`
  code value date id time type kind status title level percentage detail description address price year size
  rank rate score
`);
const ENDS = new Set(['.', '?', '!', '']);

/**
 * Skips an unknown noun after a known one, as in `the number of gold medals`.
 * Each one is reported and lowers the confidence.
 *
 * Verbs and adjectives are never skipped.
 * Neither is a word that may be a target, a group, a statement about the rows, or the name of a row.
 */
export function readUnmatched(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { position, draft } = interpretation;
  if (draft.unmatched.length >= STRAYS_MAX || draft.targets.length === 0 || !isUnmatched(q, position))
    return [];
  const [before, following] = [wordAt(q, position - 1), wordAt(q, position + 1)];
  const isListed = LISTS.has(before) && (LISTS.has(following) || ENDS.has(following));
  const isStated = SAYING.has(before) || isVerb(wordAt(q, position)) || /(ed|ing)$/.test(wordAt(q, position));
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
  return [advance(interpretation, position + 1, STRAY_COST, { unmatched: [...draft.unmatched, position] })];
}

/** Returns whether the word is more likely a name, as in `problems of product voluptatem`. */
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
    !KINDS.has(token.lemma) &&
    [q.tables, q.columns, q.values].every((spans) => (spans[position] ?? []).length === 0)
  );
}
