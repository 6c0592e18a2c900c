import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../../test/shop-lexicon.js';
import { answerQuestion } from '../../answer-question.js';

it.each([
  [
    'countries of customers that occur at least twice',
    'SELECT t1.`country` FROM `customers` AS t1 GROUP BY t1.`country` HAVING COUNT(*) >= 2',
  ],
  [
    'countries of customers with a count above 2',
    'SELECT t1.`country` FROM `customers` AS t1 GROUP BY t1.`country` HAVING COUNT(*) > 2',
  ],
  [
    'the countries of suppliers that have more than 2 suppliers',
    'SELECT t1.`country` FROM `suppliers` AS t1 GROUP BY t1.`country` HAVING COUNT(*) > 2',
  ],
  [
    'products reviewed at least 3 times',
    'SELECT t1.`name` FROM `products` AS t1 WHERE ((SELECT COUNT(*) FROM `reviews` AS t2 WHERE t2.`product_id` = t1.`id`) >= 3)',
  ],
  [
    'customers with no fewer than 2 orders',
    'SELECT t1.`first_name`, t1.`last_name` FROM `customers` AS t1 WHERE ((SELECT COUNT(*) FROM `orders` AS t2 WHERE t2.`customer_id` = t1.`id`) >= 2)',
  ],
  [
    'customers who placed no more than 2 orders',
    'SELECT t1.`first_name`, t1.`last_name` FROM `customers` AS t1 WHERE ((SELECT COUNT(*) FROM `orders` AS t2 WHERE t2.`customer_id` = t1.`id`) <= 2)',
  ],
  [
    'cities in which at least two stores are',
    'SELECT t1.`city` FROM `stores` AS t1 GROUP BY t1.`city` HAVING COUNT(*) >= 2',
  ],
  [
    'customers with between 2 and 4 orders',
    'SELECT t1.`first_name`, t1.`last_name` FROM `customers` AS t1 WHERE ((SELECT COUNT(*) FROM `orders` AS t2 WHERE t2.`customer_id` = t1.`id`) BETWEEN 2 AND 4)',
  ],
])('the question "%s" counts the rows with each value', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('"at most twice" gives two statements, with and without rows that never occur', () => {
  const sqls = readShop('products reviewed at most twice')
    .slice(0, 2)
    .map(({ sql }) => sql);
  expect(sqls.map((sql) => /\) (<= 2|BETWEEN 1 AND 2)\)$/.exec(sql)?.[1])).toEqual([
    '<= 2',
    'BETWEEN 1 AND 2',
  ]);
});

it.each([
  ['customers who placed no more than 2 orders', 'ambiguous'],
  ['customers with no fewer than 2 orders', 'answer'],
])('the question "%s" has the outcome %s', (question, kind) => {
  expect(answerQuestion({ question, today: '2026-11-21' }, SHOP_LEXICON).kind).toBe(kind);
});
