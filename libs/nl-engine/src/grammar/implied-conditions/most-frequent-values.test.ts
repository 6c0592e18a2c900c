import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'emails of customers from the most common city',
    'SELECT t1.`email` FROM `customers` AS t1 WHERE t1.`city` = (SELECT t2.`city` FROM `customers` AS t2 WHERE t2.`city` IS NOT NULL GROUP BY t2.`city` ORDER BY COUNT(*) DESC, t2.`city` LIMIT 1)',
  ],
  [
    'names of products in the most popular category',
    'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`category_id` = (SELECT t2.`category_id` FROM `products` AS t2 WHERE t2.`category_id` IS NOT NULL GROUP BY t2.`category_id` ORDER BY COUNT(*) DESC, t2.`category_id` LIMIT 1)',
  ],
  [
    'how many orders have the least common status?',
    'SELECT COUNT(*) AS `count` FROM `orders` AS t1 WHERE t1.`status` = (SELECT t2.`status` FROM `orders` AS t2 WHERE t2.`status` IS NOT NULL GROUP BY t2.`status` ORDER BY COUNT(*), t2.`status` LIMIT 1)',
  ],
])('the question "%s" finds rows with the most or least frequent value', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('a question for only the most common value returns that value', () => {
  expect(readShop('what is the most common city of customers?')[0]?.sql).toBe(
    'SELECT t1.`city` FROM `customers` AS t1 GROUP BY t1.`city` ORDER BY COUNT(*) DESC, t1.`city` LIMIT 1',
  );
});
