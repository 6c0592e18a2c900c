import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  'between 20 and 50',
  'in the range of 20 to 50',
  'in the range 20 and 50',
  'within the range 20 to 50',
])('the range in "prices %s" becomes BETWEEN', (range) => {
  expect(readShop(`names of products whose price is ${range}`)[0]).toMatchObject({
    sql: 'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` BETWEEN ? AND ?',
    params: [20, 50],
  });
});
