import { expect, it } from 'vitest';
import { readQuestion } from '../grammar/read-question.js';
import { linkQuestion } from '../link/link-question.js';
import { tokenize } from '../words/tokenize.js';
import { SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { assign } from './assign.js';
import { PathBudget } from './table-graph.js';
import { findLowerBound } from './find-floor.js';

/**
 * The questions contain columns of other tables, two columns on one path, words that select a path, values,
 * names, and aggregates of child rows.
 */
const QUESTIONS = [
  'names of products with a price above 20',
  'cities of order items',
  'names and cities of customers who ordered products',
  'total quantity of order items by customer',
  'which customers from Berlin placed an order in 2025?',
  'names of customers who reviewed a product',
  'country and city of orders',
  'average price of products by supplier',
  'names of products ordered by customers from Berlin',
  'how many orders does each customer have?',
  'customers without orders',
  'the oldest customer of each city',
];

it.each(QUESTIONS)(
  'the lower bound for "%s" is not above the cost of its cheapest assignment',
  (question) => {
    const q = linkQuestion(tokenize(question), SHOP_LEXICON, 20_000);
    const interpretations = readQuestion(q);
    expect(interpretations.length).toBeGreaterThan(0);
    for (const { draft, cost } of interpretations)
      for (const assignment of assign(draft, cost, { lexicon: SHOP_LEXICON, budget: new PathBudget() }))
        expect(findLowerBound(draft, cost)).toBeLessThanOrEqual(assignment.cost);
  },
);

it('the lower bound is high enough to skip expensive interpretations', () => {
  const spared = QUESTIONS.map((question) => {
    const interpretations = readQuestion(linkQuestion(tokenize(question), SHOP_LEXICON, 20_000));
    const minimum = Math.min(
      ...interpretations.flatMap(({ draft, cost }) =>
        assign(draft, cost, { lexicon: SHOP_LEXICON, budget: new PathBudget() }).map(
          (assignment) => assignment.cost,
        ),
      ),
    );
    return interpretations.filter(({ draft, cost }) => findLowerBound(draft, cost) > minimum + 0.6).length;
  });
  expect(spared.filter((count) => count > 0).length).toBeGreaterThan(3);
});
