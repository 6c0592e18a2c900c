import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it.each<readonly [string, string, readonly (string | number)[]]>([
  [
    'among all products, which have a price above 100?',
    'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` > ?',
    [100],
  ],
  [
    'for each customer with more than 2 orders, what is the average total of orders?',
    'SELECT t1.`first_name`, t1.`last_name`, AVG(t2.`total`) AS `avg_total` FROM `customers` AS t1 JOIN `orders` AS t2 ON t2.`customer_id` = t1.`id` WHERE ((SELECT COUNT(*) FROM `orders` AS t3 WHERE t3.`customer_id` = t1.`id`) > 2) GROUP BY t1.`id`, t1.`first_name`, t1.`last_name`',
    [],
  ],
  [
    'in 2024, how many orders were placed?',
    'SELECT COUNT(*) AS `count` FROM `orders` AS t1 WHERE t1.`placed_at` >= ? AND t1.`placed_at` < ?',
    ['2024-01-01', '2025-01-01'],
  ],
  [
    'what information is there on stores in Berlin?',
    'SELECT t1.* FROM `stores` AS t1 WHERE t1.`city` = ?',
    ['Berlin'],
  ],
  [
    'what information do you have on stores sorted by city?',
    'SELECT t1.* FROM `stores` AS t1 ORDER BY t1.`city`',
    [],
  ],
  [
    'names of products sorted by price (in descending order)',
    'SELECT t1.`name` FROM `products` AS t1 ORDER BY t1.`price` DESC',
    [],
  ],
  [
    'names of the 3 employees who get paid the least',
    'SELECT t1.`name` FROM `employees` AS t1 ORDER BY t1.`salary`, t1.`id` LIMIT 3',
    [],
  ],
  [
    'names of products that do not belong to the category Books',
    'SELECT t1.`name` FROM `products` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `categories` AS t2 WHERE t2.`id` = t1.`category_id` AND t2.`name` = ?)',
    ['Books'],
  ],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});
