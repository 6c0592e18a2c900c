import { measureCandidate, type Measures } from '../src/features/measure-candidate.js';
import type { Lexicon } from '../src/lexicon/lexicon.js';
import { linkQuestion } from '../src/link/link-question.js';
import { rankCandidates } from '../src/list-candidates.js';
import { tokenize } from '../src/words/tokenize.js';
import { SHOP_LEXICON } from './shop-lexicon.js';

/**
 * Returns the features of the statement with the lowest cost that answers a question about the shop schema
 * and whose text contains all `chunks`. Returns null if no statement matches.
 */
export function measureShop(question: string, ...chunks: readonly string[]): Measures | null {
  return measureOver(SHOP_LEXICON, question, ...chunks);
}

/** Returns the same as `measureShop`, for any schema. */
export function measureOver(
  lexicon: Lexicon,
  question: string,
  ...chunks: readonly string[]
): Measures | null {
  const q = linkQuestion(tokenize(question), lexicon, 20_000);
  const candidates = rankCandidates(q);
  const found = [...candidates].find(({ sql }) => chunks.every((parsed) => sql.includes(parsed)));
  return found === undefined ? null : measureCandidate(found, candidates, q);
}
