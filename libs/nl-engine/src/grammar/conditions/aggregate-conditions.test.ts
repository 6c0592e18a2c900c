import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

const BY_AVERAGE =
  'SELECT t1.`name` FROM `suppliers` AS t1 WHERE (SELECT AVG(t2.`price`) FROM `products` AS t2 WHERE t2.`supplier_id` = t1.`id`) >= ?';

it.each([
  ['names of suppliers with an average product price of at least 50', BY_AVERAGE],
  ['names of suppliers with an average product price of 50 or more', BY_AVERAGE],
])('the question "%s" compares an aggregate of each row or group', (question, sql) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params: [50] });
});

it('an order by the name of a returned aggregate sorts by the aggregate', () => {
  expect(readShop('average rating of each product, sorted by rating')[0]?.sql).toMatch(
    /GROUP BY .* ORDER BY AVG\(t\d+\.`rating`\)$/,
  );
});
