import { expect, it } from 'vitest';
import { measureCandidate } from './features/measure-candidate.js';
import { linkQuestion } from './link/link-question.js';
import { rankCandidates } from './list-candidates.js';
import { tokenize } from './words/tokenize.js';
import { SHOP_LEXICON } from '../test/shop-lexicon.js';
import { SHOP_QUESTIONS } from '../test/shop-questions.js';

/**
 * Returns how many statements are written to find and measure the best one, and how many there are in total.
 */
function countWrites(question: string): readonly [needed: number, all: number] {
  const q = linkQuestion(tokenize(question), SHOP_LEXICON, 20_000);
  const [candidates, others] = [rankCandidates(q), rankCandidates(q)];
  const best = candidates.at(0);
  if (best !== undefined) measureCandidate(best, candidates, q);
  const all = [...others];
  return [candidates.writes, all.length === 0 ? 0 : others.writes];
}

/**
 * The maximum number of statements for all questions about the shop schema. Reduce it when the engine needs
 * fewer.
 */
const WRITES_MAX = 190;

it('RankedCandidates writes few statements to find the best one and its margin', () => {
  const counts = SHOP_QUESTIONS.map(([question]) => countWrites(question));
  const [needed, all] = [0, 1].map((index) => counts.reduce((sum, count) => sum + (count[index] ?? 0), 0));
  expect(needed).toBeLessThanOrEqual(WRITES_MAX);
  expect(all).toBeGreaterThan(1.3 * WRITES_MAX);
});
