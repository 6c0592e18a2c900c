import { doSteps, type Steps } from '@rowhouse/schema-model';
import { listNearest } from './answer/list-nearest.js';
import { listSamplesSteps } from './answer/list-samples.js';
import { explain } from './answer/explain.js';
import { measureCandidate, type Measures } from './answer/measure-candidate.js';
import { isTrusted, MANY_COST_MAX, scoreCandidate } from './answer/score-candidate.js';
import { parseDay } from './dates/calendar.js';
import type { Lexicon } from './lexicon/build-lexicon.js';
import { linkQuestion, type LinkedQuestion } from './link/link-question.js';
import type { Candidate } from './ranked-candidates.js';
import { rankCandidates } from './read-best.js';
import type { Param } from './types.js';
import { isFunctionWord } from './words/function-words.js';
import { tokenize } from './words/tokenize.js';
import { isVerb } from './words/verbs.js';

/** A statement and what it says, in words that follow from it. */
export interface Reply {
  readonly sql: string;
  readonly params: readonly Param[];
  /** The last keys of its ORDER BY, which nobody asked for: they decide which of several equal rows a LIMIT keeps. */
  readonly tieBreakers: readonly string[];
  readonly explanation: string;
  /** What was taken for granted. */
  readonly assumptions: readonly string[];
  /** 0 to 1, from how close the words are and how far the next reading is. */
  readonly confidence: number;
}

export type Outcome =
  | ({ readonly kind: 'answer' } & Reply)
  /** Several readings of about the same weight. */
  | { readonly kind: 'ambiguous'; readonly choices: readonly Reply[] }
  /** `isEmpty`: the schema has no tables, so no words were to blame. */
  | { readonly kind: 'refused'; readonly unknown: readonly string[]; readonly nearest: readonly string[]; readonly samples: readonly string[]; readonly isEmpty: boolean };

export interface Asked {
  readonly question: string;
  /** The asker's day, `2026-11-21`: what `last month` counts from. */
  readonly today: string;
}

/** A reading that costs more explains too little of the question, whatever its score. */
export const COST_MAX = MANY_COST_MAX;
/** Readings so close to the best are worth showing beside it. */
const RIVAL_SPREAD = 0.35;
const RIVAL_COST_MAX = 1.2;
const CHOICES_MAX = 3;

/** Reads the question over the schema of the lexicon. The same question always has the same outcome. */
export function answerQuestion({ question, today }: Asked, lexicon: Lexicon): Outcome {
  const tokens = tokenize(question);
  const q = linkQuestion(tokens.slice(0, WORDS_MAX), lexicon, parseDay(today) ?? 0);
  lexicon.graph.beginQuestion();
  const outcome = tokens.length <= WORDS_MAX && isWithinLinks(q) ? answer(q) : null;
  return lexicon.graph.isSpent() ? refuse(q) : outcome ?? refuse(q);
}

/** Words, numbers and marks. Hundreds of conditions have more readings than a process has time for. */
const WORDS_MAX = 200;
/** Of all words of a question, to all that they may stand for: each reading looks through them. Beyond it one question would keep a process for seconds. */
const LINKS_MAX = 4_000;

/** Words that stand for thousands of columns say nothing about which is meant. */
function isWithinLinks({ columns, tables, values }: LinkedQuestion): boolean {
  let left = LINKS_MAX;
  for (const spans of [columns, tables, values]) for (const list of spans) for (const span of list) left -= span.links.length;
  return left >= 0;
}

/** Null: it is not answered. */
function answer(q: LinkedQuestion): Outcome | null {
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  if (best === undefined || best.cost > COST_MAX) return null;
  const measures = measureCandidate(best, candidates, q);
  if (isTrusted(measures)) return { kind: 'answer', ...toReply(best, measures, q) };
  const rivals = best.cost > RIVAL_COST_MAX ? [] : listRivals(best, candidates);
  if (rivals.length < 2) return null;
  return { kind: 'ambiguous', choices: rivals.map((candidate) => toReply(candidate, candidate === best ? measures : measureCandidate(candidate, candidates, q), q)) };
}

/** The best statement, and those that are worth showing beside it. */
function listRivals(best: Candidate, candidates: Iterable<Candidate>): readonly Candidate[] {
  const rivals: Candidate[] = [];
  for (const candidate of candidates) {
    if (rivals.length === CHOICES_MAX || candidate.cost >= best.cost + RIVAL_SPREAD) break;
    rivals.push(candidate);
  }
  return rivals;
}

function toReply(candidate: Candidate, measures: Measures, q: LinkedQuestion): Reply {
  const confidence = Math.round(100 * scoreCandidate(measures)) / 100;
  return { sql: candidate.sql, params: candidate.params, tieBreakers: candidate.tieBreakers, confidence, ...explain(candidate, q) };
}

function refuse(q: LinkedQuestion): Outcome {
  if (q.lexicon.snapshot.tables.length === 0) return { kind: 'refused', unknown: [], nearest: [], samples: [], isEmpty: true };
  const unknown = q.tokens.flatMap((token, at) => {
    const isKnown = token.kind !== 'word' || isFunctionWord(token.lower) || isVerb(token.lower) || [q.columns, q.tables, q.values].some((spans) => spans.some((list, from) => list.some((span) => from <= at && at < span.to)));
    return isKnown ? [] : [token.text];
  });
  return { kind: 'refused', unknown: [...new Set(unknown)], nearest: listNearest(unknown, q.lexicon), samples: doSteps(samplesOf(q.lexicon, q.today)), isEmpty: false };
}

/** Up to three questions that are answered over the schema of the lexicon. `today` as in a question. */
export function suggestQuestions(lexicon: Lexicon, today: string): readonly string[] {
  return doSteps(suggestQuestionsSteps(lexicon, today));
}

/** The same, one question tried in each step. */
export function suggestQuestionsSteps(lexicon: Lexicon, today: string): Steps<readonly string[]> {
  return samplesOf(lexicon, parseDay(today) ?? 0);
}

/** All that are tried look at no more than one question may. */
function* samplesOf(lexicon: Lexicon, today: number): Steps<readonly string[]> {
  lexicon.graph.beginQuestion();
  return yield* listSamplesSteps(lexicon, (question) => isClear(linkQuestion(tokenize(question), lexicon, today)));
}

/** Is there a statement that is answered? */
function isClear(q: LinkedQuestion): boolean {
  if (!isWithinLinks(q)) return false;
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  return best !== undefined && best.cost <= COST_MAX && isTrusted(measureCandidate(best, candidates, q)) && !q.lexicon.graph.isSpent();
}
