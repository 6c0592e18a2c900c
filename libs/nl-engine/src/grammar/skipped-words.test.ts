import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';

const isRead = (question: string): boolean => readShop(question).length > 0;

it('an unknown noun after a known one is skipped and listed as an assumption', () => {
  const [best] = readShop('what is the average salary package of employees');
  expect(best?.sql).toBe('SELECT AVG(t1.`salary`) AS `avg_salary` FROM `employees` AS t1');
  expect(best?.assignment.draft.unmatched).toHaveLength(1);
});

it.each([
  'names, weights, and prices of products',
  'which products are recyclable?',
  'how many products expired?',
  'recyclable products',
  'average price for each product flavour',
  'products of supplier frobnitz',
])('an unknown word that would change the meaning is not skipped in: %s', (question) => {
  expect(isRead(question) && readShop(question)[0]?.assignment.draft.unmatched.length === 1).toBe(false);
});
