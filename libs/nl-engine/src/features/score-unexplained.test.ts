import { describe, expect, it } from 'vitest';
import { measureShop } from '../../test/measure-shop.js';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { linkQuestion } from '../link/link-question.js';
import { tokenize } from '../words/tokenize.js';
import { countLostNumbers } from './score-unexplained.js';

describe('measureUnsaid', () => {
  it('scoreUnexplained counts requests that the statement does not fulfill', () => {
    expect(measureShop('names of products ordered by price', 'FROM `products` AS t1 ORDER BY')).toMatchObject(
      { unsaidSort: 0 },
    );
    expect(measureShop('the numbers of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 1 });
    expect(measureShop('the number of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 0 });
  });

  it('eitherAnd counts an "and" after an "or"', () => {
    expect(measureShop('customers either in Berlin or in Paris and in France')?.['eitherAnd'] ?? 1).toBe(1);
    expect(measureShop('customers in Berlin or Paris')).toMatchObject({ eitherAnd: 0 });
  });

  it('explained counts the words that a statement expresses, except "name"', () => {
    expect(measureShop('names of products')).toMatchObject({ explained: 1, partlyNamedTables: 0 });
    expect(measureShop('prices of products')).toMatchObject({ explained: 2 });
  });
});

/**
 * Counts the requested numbers that a statement does not return. The statement is the one with the lowest
 * cost for `answered`, and the requests are those of the question `requested`.
 */
function countLost(answered: string, requested: string): number | undefined {
  const [best] = readShop(answered);
  return best === undefined
    ? undefined
    : countLostNumbers(best, linkQuestion(tokenize(requested), SHOP_LEXICON, 20_000));
}

it('countLostNumbers counts a requested number that the statement does not return', () => {
  expect(countLost('names of products', 'how many products are there?')).toBe(1);
  expect(countLost('names and prices of products', 'the number of products and the count of orders')).toBe(2);
});

it('countLostNumbers ignores a number that is counted, summed or stored in a column', () => {
  expect(countLost('how many products are there?', 'how many products are there?')).toBe(0);
  expect(countLost('total stock of all products', 'how many products are there?')).toBe(0);
  expect(countLost('names and stock of products', 'the names of products and the number of stock')).toBe(0);
});
