import type { Column, Table } from '@rowhouse/schema-model';
import { expect, it } from 'vitest';
import type { LinkedQuestion } from '../link/link-question.js';
import type { ColumnLink } from '../types.js';
import { listHappenedOn } from './happened-on.js';

const table = { name: 'people' } as Table;
/** A day, another day, and a year that is a plain number. */
const LINKS: readonly (readonly [string, string, readonly string[], number])[] = [['birth_date', 'date', ['birth', 'date'], 0.2], ['hire_date', 'date', ['hire', 'date'], 0.2], ['start_year', 'integer', ['start', 'year'], 0.4], ['close_date', 'date', ['close', 'date'], 0.2]];
const dateColumns = LINKS.map(([name, valueKind, , cost]): ColumnLink => ({ table, column: { name, valueKind } as Column, cost }));
const columnWords = new Map(dateColumns.map(({ column }, at) => [column, LINKS[at]?.[2] ?? []]));
const question = { lexicon: { dateColumns, columnWords } } as unknown as LinkedQuestion;

/** What each column costs behind a verb. */
const costsOf = (verb: string): Record<string, number> => Object.fromEntries(listHappenedOn(question, verb).map(({ column, cost }) => [column.name, Math.round(cost * 100) / 100]));

it.each([
  // By the words that are said of it, by other words for it, by the verb's own root, by no word at all.
  ['born', { birth_date: 0, hire_date: 0.5, start_year: 0.8, close_date: 0.5 }],
  ['hired', { birth_date: 0.5, hire_date: 0, start_year: 0.1, close_date: 0.5 }],
  ['closed', { birth_date: 0.5, hire_date: 0.5, start_year: 0.8, close_date: 0 }],
  ['tested', { birth_date: 0.5, hire_date: 0.5, start_year: 0.8, close_date: 0.5 }],
])('%s', (verb, costs) => {
  expect(costsOf(verb)).toEqual(costs);
});

it.each(['running', 'shop', 'is', 'seed'])('%s is no verb of the past', (word) => {
  expect(listHappenedOn(question, word)).toEqual([]);
});
