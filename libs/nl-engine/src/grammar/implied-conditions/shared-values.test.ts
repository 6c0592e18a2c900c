import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'names of products in the same category as the product "Desk lamp"',
    'SELECT t1.`name` FROM `products` AS t1 WHERE EXISTS (SELECT 1 FROM `products` AS t2 WHERE t2.`category_id` = t1.`category_id` AND t2.`name` = ?)',
    ['Desk lamp'],
  ],
  [
    'emails of customers who live in the same city as the customer with id 3',
    'SELECT t1.`email` FROM `customers` AS t1 WHERE EXISTS (SELECT 1 FROM `customers` AS t2 WHERE t2.`city` = t1.`city` AND t2.`id` = ?)',
    [3],
  ],
])('the question "%s" compares a column with another row', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});

it('a comparison with an unspecified row has no statement', () => {
  expect(
    readShop('products in the same category as the product').filter(({ sql }) =>
      sql.includes('t2.`category_id` = t1.`category_id`'),
    ),
  ).toEqual([]);
});
