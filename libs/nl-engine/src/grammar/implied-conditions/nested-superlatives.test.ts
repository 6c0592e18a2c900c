import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

const MOST =
  '(SELECT t3.`id` FROM `categories` AS t3 ORDER BY (SELECT COUNT(*) FROM `products` AS t4 WHERE t4.`category_id` = t3.`id`) DESC, t3.`id` LIMIT 1)';

it.each([
  [
    'how many products are in the category with the most products?',
    `SELECT COUNT(*) AS \`count\` FROM \`products\` AS t1 WHERE EXISTS (SELECT 1 FROM \`categories\` AS t2 WHERE t2.\`id\` = t1.\`category_id\` AND t2.\`id\` = ${MOST})`,
  ],
  [
    'average rating of the most expensive product',
    'SELECT AVG(t2.`rating`) AS `avg_rating` FROM `products` AS t1 JOIN `reviews` AS t2 ON t2.`product_id` = t1.`id` WHERE t1.`id` = (SELECT t3.`id` FROM `products` AS t3 ORDER BY t3.`price` DESC, t3.`id` LIMIT 1)',
  ],
])('the question "%s" refers to the rows that belong to the first row', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('a superlative limits the result to one row only when the question asks for one row', () => {
  const sqlOf = (question: string): string | undefined => readShop(question)[0]?.sql;
  expect(sqlOf('emails of customers who wrote reviews of the most expensive product')).not.toContain(
    'DESC, t1.`id` LIMIT 1',
  );
  expect(sqlOf('email of the customer who wrote the review with the highest rating')).toMatch(/LIMIT 1$/);
});
