import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each<readonly [string, string, readonly (string | number)[]]>([
  [
    'when was the order with id 7 placed?',
    'SELECT t1.`placed_at` FROM `orders` AS t1 WHERE t1.`id` = ?',
    [7],
  ],
  [
    'when was the employee with the highest salary hired?',
    'SELECT t1.`hired_on` FROM `employees` AS t1 ORDER BY t1.`salary` DESC, t1.`id` LIMIT 1',
    [],
  ],
  [
    'when did the employee with id 4 start?',
    'SELECT t1.`hired_on` FROM `employees` AS t1 WHERE t1.`id` = ?',
    [4],
  ],
  [
    'when did the customer Anna Adler register?',
    'SELECT t1.`created_at` FROM `customers` AS t1 WHERE t1.`first_name` = ? AND t1.`last_name` = ?',
    ['Anna', 'Adler'],
  ],
  [
    'when did the order with id 4 take place?',
    'SELECT t1.`placed_at` FROM `orders` AS t1 WHERE t1.`id` = ?',
    [4],
  ],
  [
    'when was the first order placed?',
    'SELECT t1.`placed_at` FROM `orders` AS t1 ORDER BY t1.`placed_at`, t1.`id` LIMIT 1',
    [],
  ],
  [
    'when was the most recent employee hired?',
    'SELECT t1.`hired_on` FROM `employees` AS t1 ORDER BY t1.`hired_on` DESC, t1.`id` LIMIT 1',
    [],
  ],
  [
    'where is the store Central located?',
    'SELECT t1.`city` FROM `stores` AS t1 WHERE t1.`name` = ?',
    ['Central'],
  ],
  ['cities where customers live', 'SELECT t1.`city` FROM `customers` AS t1', []],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});

it('a "when" or "where" question over rows without such a column gives no statement', () => {
  expect([
    ...readShop('where are the products?'),
    ...readShop('when was the product with id 7 shipped?'),
  ]).toEqual([]);
});
