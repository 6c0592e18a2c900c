import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it('grouped rows are not sorted by a column that differs within a group', () => {
  expect(
    readShop('number of products for each category sorted by price').filter(({ sql }) =>
      /GROUP BY .* ORDER BY t\d+\.`price`/.test(sql),
    ),
  ).toEqual([]);
  expect(readShop('number of products for each category sorted by category name')[0]?.sql).toMatch(
    /GROUP BY .* ORDER BY t\d+\.`name`$/,
  );
});

it('no statement counts distinct values in groups by the same values', () => {
  expect(
    readShop('number of different cities of customers in each city').filter(({ sql }) =>
      /COUNT\(DISTINCT (t\d+\.`city`)\).*GROUP BY (?:.*, )?\1/.test(sql),
    ),
  ).toEqual([]);
});
