import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';
import { listUsedNames } from './statement-parts.js';

it('listUsedNames returns the tables and columns that a statement uses', () => {
  const namesOf = (question: string): string[] => {
    const [best] = readShop(question);
    return best === undefined ? [] : [...listUsedNames(best)].map(({ name }) => name);
  };
  expect(namesOf('emails of customers who bought products')).toEqual(
    expect.arrayContaining(['customers', 'email', 'orders', 'order_items', 'products']),
  );
  expect(namesOf('products in the same category as the product "Desk lamp"')).toContain('category_id');
});
