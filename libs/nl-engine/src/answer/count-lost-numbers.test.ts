import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { tokenize } from '../words/tokenize.js';
import { countLostNumbers } from './count-lost-numbers.js';

/** What the cheapest statement for one question loses of another. */
function countLost(answered: string, asked: string): number | undefined {
  const [best] = readShop(answered);
  return best === undefined ? undefined : countLostNumbers(best, linkQuestion(tokenize(asked), SHOP_LEXICON, 20_000));
}

it('counts numbers that a statement neither counts nor has a column for', () => {
  expect(countLost('names of products', 'how many products are there?')).toBe(1);
  expect(countLost('names and prices of products', 'the number of products and the count of orders')).toBe(2);
});

it('passes over numbers that are counted, summed up or held by a column', () => {
  expect(countLost('how many products are there?', 'how many products are there?')).toBe(0);
  expect(countLost('total stock of all products', 'how many products are there?')).toBe(0);
  expect(countLost('names and stock of products', 'the names of products and the number of stock')).toBe(0);
});
