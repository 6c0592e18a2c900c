import { EACH } from '../grammar/word-classes.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Assignment } from './assignment.js';

/**
 * Returns whether the question asks for something per row or group.
 * The `per` in `price per kilo` belongs to the column.
 */
export function saysEach({ tokens, lexicon }: LinkedQuestion, { columns }: Assignment): boolean {
  const isNamed = (word: string): boolean =>
    [...columns.values()].some((bound) => lexicon.columnWords.get(bound.column)?.includes(word) === true);
  return tokens.some(({ lower }) => EACH.has(lower) && !isNamed(lower));
}
