import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'how expensive are the products, on average?',
    'SELECT AVG(t1.`price`) AS `avg_price` FROM `products` AS t1',
  ],
  [
    'On average, how expensive are the products?',
    'SELECT AVG(t1.`price`) AS `avg_price` FROM `products` AS t1',
  ],
])('the question "%s" averages the requested column', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});
