import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Quantity } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { readComparator, readComparatorAfter } from '../conditions/comparators.js';
import { matchPhrase, phraseSet, type Parsed, remember, skipWords, wordAt } from '../reader.js';
import { wordSet } from '../../words/word-set.js';

/**
 * Parses a number of rows with its comparator, such as `at least 2`, `more than one`, `3 or more`, `exactly
 * 2` or `two`.
 */
export const readQuantity = remember(findQuantity);

function findQuantity(q: LinkedQuestion, from: number): Parsed<Quantity> | null {
  const range = readRange(q, from);
  if (range !== null) return range;
  const comparator = readComparator(q, from);
  const position = comparator?.position ?? from;
  const token = q.tokens[position];
  // An article means the number one, as in `at least a member` and `more than a single order`.
  if (
    comparator !== null &&
    ['a', 'an'].includes(wordAt(q, position)) &&
    q.tokens[position + 1]?.kind === 'word'
  )
    return {
      position: skipWords(q, position + 1, wordSet('single')),
      cost: 0.05,
      value: { op: comparator.op, count: 1 },
    };
  if (token?.kind !== 'number' || !Number.isInteger(token.value)) {
    const many = matchPhrase(q, from, phraseSet('multiple|several|more than a|many'));
    return many > 0 && ['multiple', 'several'].includes(wordAt(q, from))
      ? { position: many, cost: 0.2, value: { op: '>', count: 1 } }
      : null;
  }
  const comparatorAfter = comparator === null ? readComparatorAfter(q, position + 1) : null;
  const isPlain = comparator === null && comparatorAfter === null;
  if (
    isPlain &&
    ![
      'have',
      'has',
      'had',
      'with',
      'having',
      'exactly',
      'only',
      'in',
      'by',
      'for',
      'contain',
      'contains',
      'own',
      'owns',
    ].includes(wordAt(q, from - 1)) &&
    !isVerb(wordAt(q, from - 1))
  )
    return null;
  const skip = skipWords(
    q,
    comparatorAfter?.position ?? position + 1,
    wordSet('different distinct unique of such'),
  );
  return {
    position: skip,
    cost: 0,
    value: { op: comparator?.op ?? comparatorAfter?.op ?? '=', count: token.value },
  };
}

/** Parses a range for a number of rows, such as `between 2 and 4` or `2 to 4`. */
function readRange(q: LinkedQuestion, from: number): Parsed<Quantity> | null {
  const start = ['between', 'from'].includes(wordAt(q, from)) ? from + 1 : from;
  const [low, high] = [q.tokens[start], q.tokens[start + 2]];
  const link = wordAt(q, start + 1);
  if (
    low?.kind !== 'number' ||
    high?.kind !== 'number' ||
    !Number.isInteger(low.value) ||
    !Number.isInteger(high.value) ||
    (link !== 'to' && (link !== 'and' || start === from))
  )
    return null;
  return {
    position: skipWords(q, start + 3, wordSet('number of')),
    cost: 0.05,
    value: { op: '>=', count: low.value, upTo: high.value },
  };
}
