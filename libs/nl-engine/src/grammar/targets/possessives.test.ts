import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each<readonly [string, string, readonly unknown[]]>([
  ["what is Acme's country?", 'SELECT t1.`country` FROM `suppliers` AS t1 WHERE t1.`name` = ?', ['Acme']],
  [
    "Acme's products",
    'SELECT t1.`name` FROM `products` AS t1 WHERE EXISTS (SELECT 1 FROM `suppliers` AS t2 WHERE t2.`id` = t1.`supplier_id` AND t2.`name` = ?)',
    ['Acme'],
  ],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});
