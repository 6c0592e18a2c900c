import { describe, expect, it } from 'vitest';
import { measureShop } from '../../test/measure-shop.js';

describe('measureConditions', () => {
  it('counts texts that are compared with numbers', () => {
    expect(measureShop('customers with a city above 5', '`city` > ?')).toMatchObject({ textCompares: 1 });
    expect(measureShop('products with a price above 5')).toMatchObject({ textCompares: 0 });
  });

  it('counts times whose column no word says, and whether there are several', () => {
    expect(measureShop('orders in 2025')).toMatchObject({ bareTimes: 1, farTimes: 0, timeChoices: 0 });
    expect(measureShop('products with a price above 5')).toMatchObject({ bareTimes: 0 });
  });

  it('tells values that only `and` ties from alternatives', () => {
    expect(measureShop('how many customers are in Berlin or Paris', ' OR ')).toMatchObject({ unsaidAny: 0, summedAny: 0 });
    expect(measureShop('how many customers are in Berlin and Paris', ' OR ')).toMatchObject({ unsaidAny: 1, summedAny: 1 });
  });
});
