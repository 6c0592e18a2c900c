import { EACH } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Assignment } from './assign.js';

/** Does a question ask for something of each? The `per` of `price per kilo` is a column's. */
export function saysEach({ tokens, lexicon }: LinkedQuestion, { columns }: Assignment): boolean {
  const isNamed = (word: string): boolean => [...columns.values()].some((bound) => lexicon.columnWords.get(bound.column)?.includes(word) === true);
  return tokens.some(({ lower }) => EACH.has(lower) && !isNamed(lower));
}
