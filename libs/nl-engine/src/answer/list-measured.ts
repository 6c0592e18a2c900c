import { parseDay } from '../dates/calendar.js';
import type { Asked } from '../answer-question.js';
import type { Lexicon } from '../lexicon/build-lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { rankCandidates } from '../read-best.js';
import type { Statement } from '../types.js';
import { tokenize } from '../words/tokenize.js';
import { measureCandidate, type Measures } from './measure-candidate.js';

/** A statement that the question may mean, with what its score is made from. */
export interface Measured extends Statement {
  readonly measures: Measures;
}

/** The cheapest readings with their measures, for those who fit the score. */
export function listMeasured({ question, today }: Asked, lexicon: Lexicon, readingsMax: number): Measured[] {
  const q = linkQuestion(tokenize(question), lexicon, parseDay(today) ?? 0);
  const candidates = rankCandidates(q);
  return candidates.slice(0, readingsMax).map((candidate) => ({ sql: candidate.sql, params: candidate.params, tieBreakers: candidate.tieBreakers, measures: measureCandidate(candidate, candidates, q) }));
}
