import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { tokenize } from '../words/tokenize.js';
import { countLostNumbers } from './score-unexplained.js';

/**
 * Counts the lost numbers when the cheapest statement for one question is measured against another question.
 */
function countLost(answered: string, requested: string): number | undefined {
  const [best] = readShop(answered);
  return best === undefined
    ? undefined
    : countLostNumbers(best, linkQuestion(tokenize(requested), SHOP_LEXICON, 20_000));
}

it('a number that the statement neither counts nor shows is lost', () => {
  expect(countLost('names of products', 'how many products are there?')).toBe(1);
  expect(countLost('names and prices of products', 'the number of products and the count of orders')).toBe(2);
});

it('a number that is counted, summed or held by a column is not lost', () => {
  expect(countLost('how many products are there?', 'how many products are there?')).toBe(0);
  expect(countLost('total stock of all products', 'how many products are there?')).toBe(0);
  expect(countLost('names and stock of products', 'the names of products and the number of stock')).toBe(0);
});
