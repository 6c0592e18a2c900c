import { skipWords, wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { wordSet } from '../words/word-set.js';

const SMALL = wordSet('of the a an all total different distinct their its');

/**
 * Counts the requested numbers that the statement does not return by a count, a sum or a column. An example
 * is `the number of floors` without a column for floors. A phone number is not a count.
 */
export function countLostNumbers({ assignment, sql }: Candidate, q: LinkedQuestion): number {
  if (/\b(?:COUNT|SUM)\(/.test(sql)) return 0;
  const touched = new Set([...assignment.columns.values()].map((bound) => bound.column));
  return q.tokens.filter((token, index) => {
    const following = toBehind(q, index);
    if (following < 0) return false;
    const isPartOfName = q.columns
      .slice(0, index + 1)
      .flat()
      .some((span) => index < span.to && span.links.some((link) => touched.has(link.column)));
    return (
      !isPartOfName &&
      !(q.columns[skipWords(q, following, SMALL)] ?? []).some((span) =>
        span.links.some((link) => touched.has(link.column) && isNumeric(link.column)),
      )
    );
  }).length;
}

/** Returns the index after words that ask for a number, or -1 for other words. */
function toBehind(q: LinkedQuestion, index: number): number {
  const [word, next] = [wordAt(q, index), wordAt(q, index + 1)];
  if (word === 'how' && next === 'many') return index + 2;
  if ((word === 'number' || word === 'numbers') && next === 'of') return index + 2;
  return word === 'count' || word === 'counts' ? index + 1 : -1;
}
