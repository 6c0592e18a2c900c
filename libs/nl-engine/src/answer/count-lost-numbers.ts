import { skipWords, wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { isNumeric } from '../resolve/fits-literal.js';

const SMALL = new Set(['of', 'the', 'a', 'an', 'all', 'total', 'different', 'distinct', 'their', 'its']);

/**
 * Counts the requested numbers that the statement does not return by a count, a sum or a column. An example
 * is `the number of floors` without a column for floors. A phone number is not a count.
 */
export function countLostNumbers({ assignment, sql }: Candidate, q: LinkedQuestion): number {
  if (/\b(?:COUNT|SUM)\(/.test(sql)) return 0;
  const touched = new Set([...assignment.columns.values()].map((bound) => bound.column));
  return q.tokens.filter((token, at) => {
    const behind = toBehind(q, at);
    if (behind < 0) return false;
    const isPartOfName = q.columns.slice(0, at + 1).flat().some((span) => at < span.to && span.links.some((link) => touched.has(link.column)));
    return !isPartOfName && !(q.columns[skipWords(q, behind, SMALL)] ?? []).some((span) => span.links.some((link) => touched.has(link.column) && isNumeric(link.column)));
  }).length;
}

/** Returns the index after words that ask for a number, or -1 for other words. */
function toBehind(q: LinkedQuestion, at: number): number {
  const [word, next] = [wordAt(q, at), wordAt(q, at + 1)];
  if (word === 'how' && next === 'many') return at + 2;
  if ((word === 'number' || word === 'numbers') && next === 'of') return at + 2;
  return word === 'count' || word === 'counts' ? at + 1 : -1;
}
