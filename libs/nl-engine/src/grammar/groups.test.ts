import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it.each([
  ['total orders by month', "SELECT DATE_FORMAT(t1.`placed_at`, '%Y-%m') AS `month`, COUNT(*) AS `count` FROM `orders` AS t1 GROUP BY DATE_FORMAT(t1.`placed_at`, '%Y-%m')"],
  ['number of reviews per day', 'SELECT DATE(t1.`created_at`) AS `day`, COUNT(*) AS `count` FROM `reviews` AS t1 GROUP BY DATE(t1.`created_at`)'],
  ['average total of orders by year', 'SELECT YEAR(t1.`placed_at`) AS `year`, AVG(t1.`total`) AS `avg_total` FROM `orders` AS t1 GROUP BY YEAR(t1.`placed_at`)'],
  ['reviews by year', 'SELECT YEAR(t1.`created_at`) AS `year`, COUNT(*) AS `count` FROM `reviews` AS t1 GROUP BY YEAR(t1.`created_at`)'],
])('%s', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('counts rows of two kinds side by side in no statement that would multiply them', () => {
  const sqls = readShop('number of orders and number of reviews for each customer').map(({ sql }) => sql);
  expect(sqls.filter((sql) => /COUNT\(\*\).* FROM `orders` AS t\d+ .*JOIN `reviews`|COUNT\(\*\).* FROM `reviews` AS t\d+ .*JOIN `orders`/.test(sql))).toEqual([]);
});
