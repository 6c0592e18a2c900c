import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each<readonly [string, string, readonly number[]]>([
  ['names of products in stock', 'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`stock` > ?', [0]],
  [
    'names of products with more than 10 items in stock',
    'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`stock` > ?',
    [10],
  ],
  [
    'names of products with a price above 100 or less than 5 in stock',
    'SELECT t1.`name` FROM `products` AS t1 WHERE (t1.`price` > ? OR t1.`stock` < ?)',
    [100, 5],
  ],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});
