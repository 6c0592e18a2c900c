import { describe, expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { toMeaning } from './to-meaning.js';

/** Returns the meaning of the statement for a question. `chunks` are texts that this statement contains. */
function meaningOf(question: string, ...chunks: readonly string[]): string | undefined {
  const found = readShop(question).find(({ sql }) => chunks.every((parsed) => sql.includes(parsed)));
  return found === undefined ? undefined : toMeaning(found.assignment, SHOP_LEXICON.graph);
}

describe('toMeaning', () => {
  it('a statement by foreign key has the meaning of one that joins the referenced table', () => {
    const own = meaningOf('number of orders per customer id', 'GROUP BY t1.`customer_id`');
    expect(own).toBeDefined();
    expect(meaningOf('number of orders for each customer id', 'COUNT')).toBe(own);
  });

  it('statements that return, compare, count or sort by a column have different meanings', () => {
    const questions = [
      'names of products',
      'prices of products',
      'names of products with a price above 20',
      'names of products with a price above 30',
      'products without reviews',
      'products with at least 2 reviews',
      'the 3 most expensive products',
      'the 3 cheapest products',
      'number of products',
    ];
    const meanings = questions.map((question) => meaningOf(question));
    expect(meanings).not.toContain(undefined);
    expect(new Set(meanings).size).toBe(questions.length);
  });

  it('toMeaning distinguishes a value of the row with most child rows from the most frequent value', () => {
    const ofRow = meaningOf('city of the customer with the most orders', 'ORDER BY (SELECT COUNT(*)');
    expect(ofRow).toBeDefined();
    expect(ofRow).toContain('of each');
    expect(
      meaningOf('email of the customer with the most orders', 'ORDER BY (SELECT COUNT(*)'),
    ).not.toContain('of each');
  });

  it('a condition on child rows has the meaning of a row count per foreign key', () => {
    const rows = meaningOf('ids of categories with at least 2 products', '(SELECT COUNT(*)');
    expect(rows).toContain('has >=2');
    expect(meaningOf('category ids of products that occur at least twice', 'HAVING COUNT(*) >= 2')).toBe(
      rows,
    );
    expect(
      meaningOf('category ids of products that occur at least 3 times', 'HAVING COUNT(*) >= 3'),
    ).not.toBe(rows);
  });
});
