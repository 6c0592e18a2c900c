import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it('related rows after "or" are an alternative to a condition on the rows themselves', () => {
  expect(readShop('names of products with a price above 100 or with at least 2 reviews')[0]?.sql).toBe(
    'SELECT t1.`name` FROM `products` AS t1 WHERE (t1.`price` > ? OR ((SELECT COUNT(*) FROM `reviews` AS t2 WHERE t2.`product_id` = t1.`id`) >= 2))',
  );
});

it('a condition and a restriction to related rows are joined by AND if the question has no "or"', () => {
  expect(readShop('names of products with a price above 100 and with at least 2 reviews')[0]?.sql).toBe(
    'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` > ? AND ((SELECT COUNT(*) FROM `reviews` AS t2 WHERE t2.`product_id` = t1.`id`) >= 2)',
  );
});
