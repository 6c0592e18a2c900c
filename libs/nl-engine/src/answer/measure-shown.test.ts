import { describe, expect, it } from 'vitest';
import { measureShop } from '../../test/measure-shop.js';

describe('measureShown', () => {
  it('counts what is shown though the question says it already', () => {
    expect(measureShop('city of customers in city "Berlin"', 'SELECT t1.`city`')).toMatchObject({ asksKnown: 1, asksOnlyKnown: 1 });
    expect(measureShop('emails of customers in city "Berlin"')).toMatchObject({ asksKnown: 0, asksOnlyKnown: 0 });
  });

  it('counts a limit beside a word that asks for one of each', () => {
    expect(measureShop('the most expensive product of each supplier', 'LIMIT 1')?.['eachLimited'] ?? 1).toBe(1);
    expect(measureShop('the 3 most expensive products')).toMatchObject({ eachLimited: 0 });
  });

  it('counts the kinds of rows that are shown', () => {
    expect(measureShop('names of products and names of their categories', 'JOIN')?.['shownKinds'] ?? 2).toBe(2);
    expect(measureShop('names and prices of products')).toMatchObject({ shownKinds: 1, ofOther: 0 });
  });
});
