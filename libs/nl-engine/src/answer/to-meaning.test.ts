import { describe, expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { toMeaning } from './to-meaning.js';

/** The meaning of the statement for a question whose text has these pieces. */
function meaningOf(question: string, ...pieces: readonly string[]): string | undefined {
  const found = readShop(question).find(({ sql }) => pieces.every((piece) => sql.includes(piece)));
  return found === undefined ? undefined : toMeaning(found.assignment, SHOP_LEXICON.graph);
}

describe('toMeaning', () => {
  it('takes a key for what it refers to, and a table that only lends its key for none', () => {
    const own = meaningOf('number of orders per customer id', 'GROUP BY t1.`customer_id`');
    expect(own).toBeDefined();
    expect(meaningOf('number of orders for each customer id', 'COUNT')).toBe(own);
  });

  it('tells what is shown, compared, counted and sorted apart', () => {
    const questions = ['names of products', 'prices of products', 'names of products with a price above 20', 'names of products with a price above 30', 'products without reviews', 'products with at least 2 reviews', 'the 3 most expensive products', 'the 3 cheapest products', 'number of products'];
    const meanings = questions.map((question) => meaningOf(question));
    expect(meanings).not.toContain(undefined);
    expect(new Set(meanings).size).toBe(questions.length);
  });
});
