import type { LinkedQuestion } from '../link/link-question.js';
import type { Reading } from '../types.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb } from '../words/verbs.js';
import { advance, EACH, wordAt } from './reader.js';

/** The cost of a skipped word. `STRAYS_MAX` limits the skipped words of a question. */
const STRAY_COST = 0.7;
const STRAYS_MAX = 2;
const LISTS = new Set([',', 'and', 'or', '&']);
/** Words after which a word makes a statement about the rows. */
const SAYING = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'not', 'no', 'never', 'without', 'who', 'whom', 'that', 'which', 'do', 'does', 'did', 'can', 'has', 'have', 'had', 'only', 'also']);
/** Nouns that ask for a detail of the noun before them. */
const KINDS = new Set(['code', 'value', 'date', 'id', 'time', 'type', 'kind', 'status', 'title', 'level', 'percentage', 'detail', 'description', 'address', 'price', 'year', 'size', 'rank', 'rate', 'score']);
const ENDS = new Set(['.', '?', '!', '']);

/**
 * Skips an unknown noun after a known one, as in `the number of gold medals`.
 * Each one is reported and lowers the confidence.
 *
 * Verbs and adjectives are never skipped.
 * Neither is a word that may be a target, a group, a statement about the rows, or the name of a row.
 */
export function readStray(q: LinkedQuestion, reading: Reading): Reading[] {
  const { at, draft } = reading;
  if (draft.strays.length >= STRAYS_MAX || draft.targets.length === 0 || !isStray(q, at)) return [];
  const [before, behind] = [wordAt(q, at - 1), wordAt(q, at + 1)];
  const isListed = LISTS.has(before) && (LISTS.has(behind) || ENDS.has(behind));
  const isSaid = SAYING.has(before) || isVerb(wordAt(q, at)) || /(ed|ing)$/.test(wordAt(q, at));
  const isKind = [q.tables, q.columns].some((spans) => (spans[at + 1] ?? []).length > 0);
  if (isListed || isSaid || isKind || isName(q, at) || EACH.has(before) || EACH.has(wordAt(q, at - 2))) return [];
  return [advance(reading, at + 1, STRAY_COST, { strays: [...draft.strays, at] })];
}

/** Returns whether the word is more likely a name, as in `problems of product voluptatem`. */
function isName(q: LinkedQuestion, at: number): boolean {
  const token = q.tokens[at];
  return token?.lemma === token?.lower && q.tables.some((spans) => spans.some((span) => span.to === at));
}

function isStray(q: LinkedQuestion, at: number): boolean {
  const token = q.tokens[at];
  return token?.kind === 'word' && !token.isCapital && !/\d/.test(token.text) && !isFunctionWord(token.lower) && !isFunctionWord(token.lemma) && !KINDS.has(token.lemma) && [q.tables, q.columns, q.values].every((spans) => (spans[at] ?? []).length === 0);
}
