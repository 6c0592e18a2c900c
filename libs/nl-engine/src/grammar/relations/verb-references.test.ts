import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

const OFTEN =
  'SELECT t1.`name` FROM `products` AS t1 WHERE EXISTS (SELECT 1 FROM `order_items` AS t2 WHERE t2.`product_id` = t1.`id`) ORDER BY (SELECT COUNT(*) FROM `order_items` AS t3 WHERE t3.`product_id` = t1.`id`) DESC, t1.`id` LIMIT 1';

it.each(['the product that was ordered most often', 'the most frequently ordered product'])(
  'a verb counts the rows of the table that it names: %s',
  (question) => {
    expect(readShop(question)[0]?.sql).toBe(OFTEN);
  },
);

it('rows with a quantity are not counted unless the question asks how often', () => {
  expect(readShop('the most ordered product').map(({ sql }) => sql)).not.toContain(OFTEN);
});
