import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it.each<readonly [string, string, readonly (string | number)[]]>([
  ['among all products, which have a price above 100?', 'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` > ?', [100]],
  ['for each customer with more than 2 orders, what is the average total of orders?', 'SELECT t1.`first_name`, t1.`last_name`, AVG(t2.`total`) AS `avg_total` FROM `customers` AS t1 JOIN `orders` AS t2 ON t2.`customer_id` = t1.`id` WHERE ((SELECT COUNT(*) FROM `orders` AS t3 WHERE t3.`customer_id` = t1.`id`) > 2) GROUP BY t1.`id`, t1.`first_name`, t1.`last_name`', []],
  ['in 2024, how many orders were placed?', 'SELECT COUNT(*) AS `count` FROM `orders` AS t1 WHERE t1.`placed_at` >= ? AND t1.`placed_at` < ?', ['2024-01-01', '2025-01-01']],
])('%s', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});
