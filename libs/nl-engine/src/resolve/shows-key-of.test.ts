import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it('the name of rows is not shown when their key is shown', () => {
  expect(readShop('category ids and the number of products in each category')[0]?.sql).toMatch(
    /^SELECT t\d\.`(?:category_id|id)`, COUNT/,
  );
  expect(readShop('the number of products in each category')[0]?.sql).toMatch(/^SELECT t\d\.`name`, COUNT/);
});
