import type { Column, Table } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnLink } from '../../types.js';
import { listDatesOfEvent } from './verb-references.js';

const OFTEN =
  'SELECT t1.`name` FROM `products` AS t1 WHERE EXISTS (SELECT 1 FROM `order_items` AS t2 WHERE t2.`product_id` = t1.`id`) ORDER BY (SELECT COUNT(*) FROM `order_items` AS t3 WHERE t3.`product_id` = t1.`id`) DESC, t1.`id` LIMIT 1';

it.each(['the product that was ordered most often', 'the most frequently ordered product'])(
  'the verb in "%s" counts the rows of the table that it names',
  (question) => {
    expect(readShop(question)[0]?.sql).toBe(OFTEN);
  },
);

it('rows with a quantity column are counted only if the question asks how often', () => {
  expect(readShop('the most ordered product').map(({ sql }) => sql)).not.toContain(OFTEN);
});

const table = { name: 'people' } as Table;
/** Columns in the order of cost: two dates, a year that is stored as a number, and others. */
const LINKS: readonly (readonly [string, string, readonly string[], number])[] = [
  ['birth_date', 'date', ['birth', 'date'], 0.2],
  ['hire_date', 'date', ['hire', 'date'], 0.2],
  ['start_year', 'integer', ['start', 'year'], 0.4],
  ['close_date', 'date', ['close', 'date'], 0.2],
];
const dateColumns = LINKS.map(([name, valueKind, , cost]): ColumnLink => ({
  table,
  column: { name, valueKind } as Column,
  cost,
}));
const columnWords = new Map(dateColumns.map(({ column }, position) => [column, LINKS[position]?.[2] ?? []]));
const question = { lexicon: { dateColumns, columnWords } } as unknown as LinkedQuestion;

/** Returns the cost of each column after a verb. */
const costsOf = (verb: string): Record<string, number> =>
  Object.fromEntries(
    listDatesOfEvent(question, verb).map(({ column, cost }) => [column.name, Math.round(cost * 100) / 100]),
  );

it.each([
  // A column matches if its name contains a word for the event, or the root of the verb. Other columns do not
  // match.
  ['born', { birth_date: 0, hire_date: 0.5, start_year: 0.8, close_date: 0.5 }],
  ['hired', { birth_date: 0.5, hire_date: 0, start_year: 0.1, close_date: 0.5 }],
  ['closed', { birth_date: 0.5, hire_date: 0.5, start_year: 0.8, close_date: 0 }],
  ['tested', { birth_date: 0.5, hire_date: 0.5, start_year: 0.8, close_date: 0.5 }],
])('the verb "%s" selects the date columns that it names', (verb, costs) => {
  expect(costsOf(verb)).toEqual(costs);
});

it.each(['running', 'shop', 'is', 'seed'])('the word "%s" is not a past-tense verb', (word) => {
  expect(listDatesOfEvent(question, word)).toEqual([]);
});
