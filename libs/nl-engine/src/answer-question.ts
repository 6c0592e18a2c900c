import { doSteps, type Steps } from '@rowhouse/schema-model';
import { listSamplesSteps } from './answer/list-samples.js';
import { explain } from './answer/explain.js';
import { measureCandidate, type Measures } from './features/measure-candidate.js';
import { isTrusted, MANY_COST_MAX, scoreCandidate } from './answer/score-candidate.js';
import { parseDay } from './dates/calendar.js';
import type { Lexicon } from './lexicon/lexicon.js';
import { linkQuestion } from './link/link-question.js';
import { type LinkedQuestion } from './link/linked-question.js';
import type { Candidate } from './ranked-candidates.js';
import { rankCandidates } from './list-candidates.js';
import { PathBudget } from './resolve/table-graph.js';
import type { Param } from './types.js';
import { isFunctionWord } from './words/function-words.js';
import { tokenize } from './words/tokenize.js';
import { isVerb } from './words/verbs.js';
import { nearestNames } from '@rowhouse/errors';

const NAMES_MAX = 5;

/**
 * The maximum number of unknown words for which similar names are searched. Each is compared with all names
 * of the schema.
 */
const UNKNOWN_WORDS_MAX = 8;

/** A statement that answers a question, with a description of it in words. */
export interface Answer {
  readonly sql: string;
  readonly params: readonly Param[];
  /**
   * The last sort keys of ORDER BY, which are added so that the order is unique. They determine which of
   * several equal rows a LIMIT returns.
   */
  readonly tieBreakers: readonly string[];
  readonly explanation: string;
  /**
   * Sentences about interpretations that the question does not state, such as the column to which a word was
   * linked.
   */
  readonly assumptions: readonly string[];
  /**
   * The estimated probability that the statement is correct, from 0 to 1. It depends on how similar words and
   * names are, and on the difference in cost to the next statement.
   */
  readonly confidence: number;
}

export type Outcome =
  | ({ readonly kind: 'answer' } & Answer)
  /** Several statements have similar costs, and none of them is reliable enough. */
  | { readonly kind: 'ambiguous'; readonly choices: readonly Answer[] }
  /** No statement is reliable enough. `isEmpty` is set if the reason is that the schema has no tables. */
  | {
      readonly kind: 'refused';
      readonly unknown: readonly string[];
      readonly nearest: readonly string[];
      readonly samples: readonly string[];
      readonly isEmpty: boolean;
    };

export interface QuestionInput {
  readonly question: string;
  /**
   * The date on which the question is asked, such as `2026-11-21`. Periods such as `last month` are relative
   * to it.
   */
  readonly today: string;
}

/** The maximum cost of an answer. Statements with a higher cost are rejected, whatever their score. */
export const COST_MAX = MANY_COST_MAX;
/** The difference in cost to the best statement up to which another statement is an alternative. */
const RIVAL_SPREAD = 0.35;
const RIVAL_COST_MAX = 1.2;
const CHOICES_MAX = 3;

/**
 * Answers a question about the schema of the lexicon. For the same question, the result is always the same.
 */
export function answerQuestion({ question, today }: QuestionInput, lexicon: Lexicon): Outcome {
  const tokens = tokenize(question);
  const q = linkQuestion(tokens.slice(0, WORDS_MAX), lexicon, parseDay(today) ?? 0);
  const outcome = tokens.length <= WORDS_MAX && isWithinLinks(q) ? answer(q) : null;
  return q.budget.isSpent ? reject(q) : (outcome ?? reject(q));
}

/**
 * The maximum number of tokens in a question. A question with hundreds of conditions has too many
 * interpretations.
 */
const WORDS_MAX = 200;
/**
 * The maximum number of links between the question's words and names of the schema. Every interpretation
 * scans the links, so a question with more of them would block the process for seconds.
 */
const LINKS_MAX = 4_000;

/**
 * Reports whether the question has at most `LINKS_MAX` links. If it has more, its words do not distinguish
 * names of the schema.
 */
function isWithinLinks({ columns, tables, values }: LinkedQuestion): boolean {
  let remaining = LINKS_MAX;
  for (const spans of [columns, tables, values])
    for (const list of spans) for (const span of list) remaining -= span.links.length;
  return remaining >= 0;
}

/** Returns the outcome for a question. Returns null if the question has no answer. */
function answer(q: LinkedQuestion): Outcome | null {
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  if (best === undefined || best.cost > COST_MAX) return null;
  const measures = measureCandidate(best, candidates, q);
  if (isTrusted(measures)) return { kind: 'answer', ...toReply(best, measures, q) };
  const rivals = best.cost > RIVAL_COST_MAX ? [] : listRivals(best, candidates);
  if (rivals.length < 2) return null;
  return {
    kind: 'ambiguous',
    choices: rivals.map((candidate) =>
      toReply(candidate, candidate === best ? measures : measureCandidate(candidate, candidates, q), q),
    ),
  };
}

/** Returns the best statement, and the alternatives that should be shown with it. */
function listRivals(best: Candidate, candidates: Iterable<Candidate>): readonly Candidate[] {
  const rivals: Candidate[] = [];
  for (const candidate of candidates) {
    if (rivals.length === CHOICES_MAX || candidate.cost >= best.cost + RIVAL_SPREAD) break;
    rivals.push(candidate);
  }
  return rivals;
}

function toReply(candidate: Candidate, measures: Measures, q: LinkedQuestion): Answer {
  const confidence = Math.round(100 * scoreCandidate(measures)) / 100;
  return {
    sql: candidate.sql,
    params: candidate.params,
    tieBreakers: candidate.tieBreakers,
    confidence,
    ...explain(candidate, q),
  };
}

function reject(q: LinkedQuestion): Outcome {
  if (q.lexicon.snapshot.tables.length === 0)
    return { kind: 'refused', unknown: [], nearest: [], samples: [], isEmpty: true };
  const unknown = q.tokens.flatMap((token, index) => {
    const isKnown =
      token.kind !== 'word' ||
      isFunctionWord(token.lower) ||
      isVerb(token.lower) ||
      [q.columns, q.tables, q.values].some((spans) =>
        spans.some((list, from) => list.some((span) => from <= index && index < span.to)),
      );
    return isKnown ? [] : [token.text];
  });
  return {
    kind: 'refused',
    unknown: [...new Set(unknown)],
    nearest: listNearest(unknown, q.lexicon),
    samples: doSteps(samplesOf(q.lexicon, q.today)),
    isEmpty: false,
  };
}

/**
 * Returns up to three questions that have answers about the schema of the lexicon. `today` is the date on
 * which they would be asked.
 */
export function suggestQuestions(lexicon: Lexicon, today: string): readonly string[] {
  return doSteps(suggestQuestionsSteps(lexicon, today));
}

/** Returns the same result as `suggestQuestions`, and yields after each sample question that it tries. */
export function suggestQuestionsSteps(lexicon: Lexicon, today: string): Steps<readonly string[]> {
  return samplesOf(lexicon, parseDay(today) ?? 0);
}

/** Finds sample questions. All of them share the budget for join paths of a single question. */
function* samplesOf(lexicon: Lexicon, today: number): Steps<readonly string[]> {
  const budget = new PathBudget();
  return yield* listSamplesSteps(lexicon, (question) =>
    hasAnswer(linkQuestion(tokenize(question), lexicon, today, budget)),
  );
}

/** Reports whether the question has a statement that is reliable enough to be its answer. */
function hasAnswer(q: LinkedQuestion): boolean {
  if (!isWithinLinks(q)) return false;
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  return (
    best !== undefined &&
    best.cost <= COST_MAX &&
    isTrusted(measureCandidate(best, candidates, q)) &&
    !q.budget.isSpent
  );
}

/**
 * Returns up to five names of tables and columns that are similar to words which the lexicon does not
 * contain.
 */
function listNearest(unknown: readonly string[], lexicon: Lexicon): string[] {
  const names = lexicon.snapshot.tables.flatMap((table) => [
    table.name,
    ...table.columns.map((column) => `${table.name}.${column.name}`),
  ]);
  const lastParts = new Map(names.map((name) => [name.slice(name.lastIndexOf('.') + 1), name]));
  const parts = [...lastParts.keys()];
  const similar = new Set<string>();
  for (const word of unknown.slice(0, UNKNOWN_WORDS_MAX)) {
    if (similar.size >= NAMES_MAX) break;
    for (const part of nearestNames(word, parts)) similar.add(lastParts.get(part) ?? part);
  }
  return [...similar].slice(0, NAMES_MAX);
}
