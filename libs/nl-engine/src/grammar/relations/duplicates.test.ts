import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it('a negated condition excludes a value when any of its rows matches', () => {
  expect(readShop('countries that have no customers in Berlin')[0]).toMatchObject({
    sql: 'SELECT DISTINCT t1.`country` FROM `customers` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `customers` AS t2 WHERE t2.`country` = t1.`country` AND t2.`city` = ?)',
    params: ['Berlin'],
  });
});

it('an exception after "except" excludes the matching rows', () => {
  expect(readShop('names of categories except for those with at least 3 products')[0]?.sql).toBe(
    'SELECT t1.`name` FROM `categories` AS t1 WHERE NOT ((SELECT COUNT(*) FROM `products` AS t2 WHERE t2.`category_id` = t1.`id`) >= 3)',
  );
});

it('a negation without a condition gives no statement over the values of a column', () => {
  expect(
    readShop('countries that have no customers').filter(({ sql }) =>
      sql.includes('t2.`country` = t1.`country`'),
    ),
  ).toEqual([]);
});
