import type { QuestionInput } from '../answer-question.js';
import { parseDay } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { rankCandidates } from '../list-candidates.js';
import type { Statement } from '../types.js';
import { tokenize } from '../words/tokenize.js';
import { measureCandidate, type Measures } from './measure-candidate.js';
import { isDoubtful, scoreCandidate } from '../answer/score-candidate.js';

/** A statement with its features and its score. */
export interface Measured extends Statement {
  readonly measures: Measures;
  readonly cost: number;
  readonly score: number;
  /** Whether the statement has a disqualifying feature or a score below one of the bounds. */
  readonly isDoubtful: boolean;
}

/**
 * Returns the statement with the lowest cost for a question, with its features. Returns null if no statement
 * was found. The training scripts use it to fit weights and choose bounds.
 */
export function measureBest({ question, today }: QuestionInput, lexicon: Lexicon): Measured | null {
  const q = linkQuestion(tokenize(question), lexicon, parseDay(today) ?? 0);
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  if (best === undefined) return null;
  const measures = measureCandidate(best, candidates, q);
  return {
    sql: best.sql,
    params: best.params,
    tieBreakers: best.tieBreakers,
    cost: best.cost,
    measures,
    score: scoreCandidate(measures),
    isDoubtful: isDoubtful(measures),
  };
}
