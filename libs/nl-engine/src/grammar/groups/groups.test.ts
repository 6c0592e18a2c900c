import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'total orders by month',
    "SELECT DATE_FORMAT(t1.`placed_at`, '%Y-%m') AS `month`, COUNT(*) AS `count` FROM `orders` AS t1 GROUP BY DATE_FORMAT(t1.`placed_at`, '%Y-%m')",
  ],
  [
    'number of reviews per day',
    'SELECT DATE(t1.`created_at`) AS `day`, COUNT(*) AS `count` FROM `reviews` AS t1 GROUP BY DATE(t1.`created_at`)',
  ],
  [
    'average total of orders by year',
    'SELECT YEAR(t1.`placed_at`) AS `year`, AVG(t1.`total`) AS `avg_total` FROM `orders` AS t1 GROUP BY YEAR(t1.`placed_at`)',
  ],
  [
    'the average salary of employees grouped and ordered by job title',
    'SELECT t1.`job_title`, AVG(t1.`salary`) AS `avg_salary` FROM `employees` AS t1 GROUP BY t1.`job_title` ORDER BY t1.`job_title`',
  ],
  [
    'reviews by year',
    'SELECT YEAR(t1.`created_at`) AS `year`, COUNT(*) AS `count` FROM `reviews` AS t1 GROUP BY YEAR(t1.`created_at`)',
  ],
  [
    "the average price of each supplier's products",
    'SELECT t2.`name`, AVG(t1.`price`) AS `avg_price` FROM `products` AS t1 JOIN `suppliers` AS t2 ON t2.`id` = t1.`supplier_id` GROUP BY t2.`id`, t2.`name`',
  ],
  [
    'the average price of products for each supplier, showing the name of the supplier',
    'SELECT AVG(t1.`price`) AS `avg_price`, t2.`name` FROM `products` AS t1 JOIN `suppliers` AS t2 ON t2.`id` = t1.`supplier_id` GROUP BY t2.`id`, t2.`name`',
  ],
  [
    'what is the average total of orders by customers from Germany?',
    'SELECT AVG(t2.`total`) AS `avg_total` FROM `customers` AS t1 JOIN `orders` AS t2 ON t2.`customer_id` = t1.`id` WHERE t1.`country` = ?',
  ],
  [
    'for each job title, find the number of employees and sort by the number in descending order',
    'SELECT t1.`job_title`, COUNT(*) AS `count` FROM `employees` AS t1 GROUP BY t1.`job_title` ORDER BY COUNT(*) DESC',
  ],
])('the question "%s" groups by the expected columns', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('no statement joins two child tables that are both counted', () => {
  const sqls = readShop('number of orders and number of reviews for each customer').map(({ sql }) => sql);
  expect(
    sqls.filter((sql) =>
      /COUNT\(\*\).* FROM `orders` AS t\d+ .*JOIN `reviews`|COUNT\(\*\).* FROM `reviews` AS t\d+ .*JOIN `orders`/.test(
        sql,
      ),
    ),
  ).toEqual([]);
});
