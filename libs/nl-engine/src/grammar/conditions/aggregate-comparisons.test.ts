import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each<readonly [string, string, string]>([
  ['products that cost more than all products of supplier Acme', '>', 'MAX'],
  ['products with a price lower than all products in the Books category', '<', 'MIN'],
  ['products with a price lower than some products in the Books category', '<', 'MAX'],
  ['products with a price higher than at least one product in the Books category', '>', 'MIN'],
])('the question "%s" becomes a comparison with an aggregate', (question, op, fn) => {
  expect(readShop(question)[0]?.sql).toContain(
    `t1.\`price\` ${op} (SELECT ${fn}(t2.\`price\`) FROM \`products\` AS t2 JOIN `,
  );
});

it('a comparison such as "below average salary" becomes a subquery with AVG', () => {
  expect(readShop('employees with a below average salary')[0]?.sql).toBe(
    'SELECT t1.`name` FROM `employees` AS t1 WHERE t1.`salary` < (SELECT AVG(t2.`salary`) FROM `employees` AS t2)',
  );
});

it('a comparison with "any" gives no statement with a cost below 1', () => {
  expect(
    readShop('products with a price higher than any product in the Books category').filter(
      ({ cost }) => cost < 1,
    ),
  ).toEqual([]);
});
