import { expect, it } from 'vitest';
import { measureCandidate } from './answer/measure-candidate.js';
import { linkQuestion } from './link/link-question.js';
import { rankCandidates } from './read-best.js';
import { tokenize } from './words/tokenize.js';
import { SHOP_LEXICON } from '../test/shop-lexicon.js';
import { SHOP_QUESTIONS } from '../test/shop-questions.js';

/** How many statements are written until the best of a question is known and measured, and how many there are to be written. */
function countWrites(question: string): readonly [needed: number, all: number] {
  const q = linkQuestion(tokenize(question), SHOP_LEXICON, 20_000);
  const [candidates, others] = [rankCandidates(q), rankCandidates(q)];
  const best = candidates.at(0);
  if (best !== undefined) measureCandidate(best, candidates, q);
  const all = [...others];
  return [candidates.writes, all.length === 0 ? 0 : others.writes];
}

/** For all of the shop's questions. Whoever makes the engine do less lowers it. */
const WRITES_MAX = 190;

it('writes hardly more statements than it takes to know the best of a question, and how far the next is', () => {
  const counts = SHOP_QUESTIONS.map(([question]) => countWrites(question));
  const [needed, all] = [0, 1].map((at) => counts.reduce((sum, count) => sum + (count[at] ?? 0), 0));
  expect(needed).toBeLessThanOrEqual(WRITES_MAX);
  expect(all).toBeGreaterThan(1.3 * WRITES_MAX);
});
