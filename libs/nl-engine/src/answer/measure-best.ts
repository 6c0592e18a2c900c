import type { Asked } from '../answer-question.js';
import { parseDay } from '../dates/calendar.js';
import type { Lexicon } from '../lexicon/build-lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { rankCandidates } from '../read-best.js';
import type { Statement } from '../types.js';
import { tokenize } from '../words/tokenize.js';
import { measureCandidate, type Measures } from './measure-candidate.js';
import { isDoubtful, scoreCandidate } from './score-candidate.js';

/** A statement with what its score is made from, and the score. */
export interface Measured extends Statement {
  readonly measures: Measures;
  readonly cost: number;
  readonly score: number;
  /** Is there something that no score outweighs? */
  readonly isDoubtful: boolean;
}

/** The cheapest statement for a question, for those who fit the bounds; null when there is none. */
export function measureBest({ question, today }: Asked, lexicon: Lexicon): Measured | null {
  const q = linkQuestion(tokenize(question), lexicon, parseDay(today) ?? 0);
  const candidates = rankCandidates(q);
  const best = candidates.at(0);
  if (best === undefined) return null;
  const measures = measureCandidate(best, candidates, q);
  return { sql: best.sql, params: best.params, tieBreakers: best.tieBreakers, cost: best.cost, measures, score: scoreCandidate(measures), isDoubtful: isDoubtful(measures) };
}
