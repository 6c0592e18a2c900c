import { describe, expect, it } from 'vitest';
import { measureShop } from '../../test/measure-shop.js';

describe('measureUnsaid', () => {
  it('requests that the statement does not fulfill are counted', () => {
    expect(measureShop('names of products ordered by price', 'FROM `products` AS t1 ORDER BY')).toMatchObject(
      { unsaidSort: 0 },
    );
    expect(measureShop('the numbers of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 1 });
    expect(measureShop('the number of products', 'SELECT COUNT(')).toMatchObject({ unsaidNumbers: 0 });
  });

  it('an "and" after an "or" is counted, since its scope is ambiguous', () => {
    expect(measureShop('customers either in Berlin or in Paris and in France')?.['eitherAnd'] ?? 1).toBe(1);
    expect(measureShop('customers in Berlin or Paris')).toMatchObject({ eitherAnd: 0 });
  });

  it('the words that a statement covers are counted, apart from names of rows', () => {
    expect(measureShop('names of products')).toMatchObject({ heard: 1, loneTables: 0 });
    expect(measureShop('prices of products')).toMatchObject({ heard: 2 });
  });
});
