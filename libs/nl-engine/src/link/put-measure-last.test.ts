import { expect, it } from 'vitest';
import { SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { tokenize } from '../words/tokenize.js';
import { putMeasureLast } from './put-measure-last.js';

it.each([
  ['largest order by total', 'order with the largest total'],
  ['What are the 3 smallest products by stock?', 'What are the products with the 3 smallest stock ?'],
  ['the largest store by number of employees', 'the store with the largest number of employees'],
  ['the largest stores by number of employees', 'the largest stores by number of employees'],
  ['the largest order by customer', 'the largest order by customer'],
  ['highest salary by store', 'highest salary by store'],
  ['the largest order placed by Ada Birch in May', 'the largest order placed by Ada Birch in May'],
])('putMeasureLast moves the measure after the adjective in "%s"', (question, turned) => {
  expect(
    putMeasureLast(tokenize(question), SHOP_LEXICON)
      .map((token) => token.text)
      .join(' '),
  ).toBe(turned);
});
