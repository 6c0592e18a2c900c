import { describe, expect, it } from 'vitest';
import { measureShop } from '../../test/measure-shop.js';

describe('measureUnsaid', () => {
  it('counts what a question asks for and a statement does not say', () => {
    expect(measureShop('names of products ordered by price', 'FROM `products` AS t1 ORDER BY')).toMatchObject({ unsaidSort: 0 });
    expect(measureShop('the numbers of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 1 });
    expect(measureShop('the number of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 0 });
  });

  it('counts an `and` behind an `or` that nobody knows the reach of', () => {
    expect(measureShop('customers either in Berlin or in Paris and in France')?.['eitherAnd'] ?? 1).toBe(1);
    expect(measureShop('customers in Berlin or Paris')).toMatchObject({ eitherAnd: 0 });
  });

  it('counts the words that a statement hears, names aside', () => {
    expect(measureShop('names of products')).toMatchObject({ heard: 1, loneTables: 0 });
    expect(measureShop('prices of products')).toMatchObject({ heard: 2 });
  });
});
