import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../../test/shop-lexicon.js';
import { linkQuestion } from '../../link/link-question.js';
import { tokenize } from '../../words/tokenize.js';
import { readComparator, readComparatorAfter } from './comparators.js';

const link = (text: string): ReturnType<typeof linkQuestion> =>
  linkQuestion(tokenize(text), SHOP_LEXICON, 20_000);

it.each([
  ['no younger than', '>='],
  ['not larger than', '<='],
  ['taller than', '>'],
  ['smaller than or equal to', '<='],
  ['other than', '!='],
])('a price condition with "%s" gets the expected operator', (text, op) => {
  expect(readComparator(link(text), 0)).toEqual({ op, position: text.split(' ').length });
});

it('a comparator after a number gives the same operator as before the number', () => {
  expect(
    ['or older', 'and under', 'or Berlin'].map((text) => readComparatorAfter(link(text), 0)?.op ?? null),
  ).toEqual(['>=', '<=', null]);
});

it.each([
  'between 20 and 50',
  'in the range of 20 to 50',
  'in the range 20 and 50',
  'within the range 20 to 50',
])('the range in "prices %s" becomes a BETWEEN condition', (range) => {
  expect(readShop(`names of products whose price is ${range}`)[0]).toMatchObject({
    sql: 'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` BETWEEN ? AND ?',
    params: [20, 50],
  });
});
