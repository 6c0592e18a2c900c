import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'list the countries of customers and the count',
    'SELECT t1.`country`, COUNT(*) AS `count` FROM `customers` AS t1 GROUP BY t1.`country`',
  ],
  [
    'names of the categories and how many products does each one have?',
    'SELECT t1.`name`, COUNT(*) AS `count` FROM `categories` AS t1 JOIN `products` AS t2 ON t2.`category_id` = t1.`id` GROUP BY t1.`id`, t1.`name`',
  ],
  [
    'which supplier has the most products, and how many products does it have?',
    'SELECT t1.`name`, COUNT(*) AS `count` FROM `suppliers` AS t1 JOIN `products` AS t2 ON t2.`supplier_id` = t1.`id` GROUP BY t1.`id`, t1.`name` ORDER BY COUNT(*) DESC, t1.`id` LIMIT 1',
  ],
  [
    'for each customer, list the email and the number of orders',
    'SELECT t1.`email`, COUNT(*) AS `count` FROM `customers` AS t1 JOIN `orders` AS t2 ON t2.`customer_id` = t1.`id` GROUP BY t1.`id`, t1.`first_name`, t1.`last_name`, t1.`email`',
  ],
  [
    'name of each category with the number of products',
    'SELECT t1.`name`, COUNT(*) AS `count` FROM `categories` AS t1 JOIN `products` AS t2 ON t2.`category_id` = t1.`id` GROUP BY t1.`id`, t1.`name`',
  ],
])('the question "%s" counts rows that it names only once', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('a bare count after a list of rows gives no statement that counts these rows', () => {
  expect(
    readShop('list all customers and the count').filter(({ sql, cost }) => cost < 1 && sql.includes('COUNT')),
  ).toEqual([]);
});
