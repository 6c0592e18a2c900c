import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

it('the label of grouped rows is shown unless another of their columns is shown', () => {
  expect(readShop('the number of orders of each customer')[0]?.sql).toMatch(
    /^SELECT t\d\.`first_name`, t\d\.`last_name`, COUNT/,
  );
  expect(readShop('for each customer, the email and the number of orders')[0]?.sql).toMatch(
    /^SELECT t\d\.`email`, COUNT/,
  );
});
