import { describe, expect, it } from 'vitest';
import { SHOP_LEXICON, readShop } from '../../../test/shop-lexicon.js';
import { linkQuestion } from '../../link/link-question.js';
import { tokenize } from '../../words/tokenize.js';
import { readScale, readDirectionWords, readDirectionBeforeKey } from './sort-directions.js';

const link = (text: string): ReturnType<typeof linkQuestion> =>
  linkQuestion(tokenize(text), SHOP_LEXICON, 20_000);

describe('readWay', () => {
  it.each([
    ['in reverse alphabetical order', 'desc', 4],
    ['in a decreasing numerical sequence', 'desc', 5],
    ['ascending', 'asc', 1],
    ['chronologically', 'asc', 1],
    ['most first', 'desc', 2],
    ['the fewest first', 'asc', 3],
  ] as const)('readWay recognizes the sort direction in "%s"', (text, direction, at) => {
    expect(readDirectionWords(link(text), 0)).toEqual({ position: at, direction });
  });

  it('phrases such as "increasing prices" and "in orders" are no sort directions', () => {
    expect(
      ['increasing prices', 'in orders', 'reverse the list'].map((text) => readDirectionWords(link(text), 0)),
    ).toEqual([null, null, null]);
  });

  it('the column after a sort direction becomes the sort key', () => {
    expect(readDirectionBeforeKey(link('in falling numerical order of price'), 0)).toEqual({
      position: 5,
      direction: 'desc',
    });
    expect(readShop('names of products in falling numerical order of price')[0]?.sql).toMatch(
      /ORDER BY t1\.`price` DESC$/,
    );
    expect(readShop('names of products in a reversed alphabetical sequence')[0]?.sql).toMatch(
      /ORDER BY t1\.`name` DESC$/,
    );
  });
});

describe('readSpan', () => {
  it.each([
    ['from low to high', 'asc', 4],
    ['from the most expensive to the cheapest', 'desc', 7],
    ['from oldest to newest', 'asc', 4],
    ['from the oldest to the youngest', 'desc', 6],
    ['starting with the smallest', 'asc', 4],
    ['with the largest first', 'desc', 4],
  ] as const)('readSpan reads the range "%s" as a sort direction', (text, direction, at) => {
    expect(readScale(link(text), 0)).toEqual({ position: at, direction });
  });

  it('readSpan does not read a phrase that describes rows as a range', () => {
    expect(
      ['with the largest city', 'from Berlin to Paris', 'the most orders'].map((text) =>
        readScale(link(text), 0),
      ),
    ).toEqual([null, null, null]);
  });
});
