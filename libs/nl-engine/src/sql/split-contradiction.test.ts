import { describe, expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

describe('contradicting conditions on a row', () => {
  it('a question for orders with products of both of two suppliers requires two products', () => {
    const [best] = readShop('last names of customers who have ordered products from both Acme and Bolt');
    expect(best?.params).toEqual(['Acme', 'Bolt']);
    expect(best?.sql.match(/EXISTS \(SELECT 1 FROM `orders`/g)).toHaveLength(2);
  });

  it('a question with two values of one column requires two rows', () => {
    expect(
      readShop('emails of customers with both paid and cancelled orders')[0]?.sql.match(
        /EXISTS \(SELECT 1 FROM `orders` AS t\d+ WHERE t\d+.`customer_id` = t1.`id` AND t\d+.`status` = \?\)/g,
      ),
    ).toHaveLength(2);
  });

  it('no statement requires two values of one column in the same row', () => {
    expect(
      readShop('ids of products from both Acme and Bolt')
        .filter(({ sql, params }) => params.length === 2 && !/ OR |`reviews`|`order_items`/.test(sql))
        .map(({ sql }) => sql),
    ).toEqual([]);
  });

  it('a question with two values and a returned name requires another row with the same name', () => {
    const [best] = readShop('names of products from both Acme and Bolt');
    expect(new Set(best?.params)).toEqual(new Set(['Acme', 'Bolt']));
    expect(best?.sql).toMatch(
      /^SELECT DISTINCT t1.`name` FROM `products` AS t1 .*EXISTS \(SELECT 1 FROM `products` AS t\d+ .*t\d+.`name` = t1.`name` AND/,
    );
  });

  it('a question with two values but without "both" accepts either value', () => {
    expect(readShop('price of Atlas and Rake')[0]?.sql).toBe(
      'SELECT t1.`price` FROM `products` AS t1 WHERE (t1.`name` = ? OR t1.`name` = ?)',
    );
    expect(
      readShop('countries with both customers from Berlin and customers from Hamburg')[0]?.sql,
    ).toContain('t2.`country` = t1.`country`');
  });
});
