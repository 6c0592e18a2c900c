import { expect, it } from 'vitest';
import { readShop } from '../../../test/shop-lexicon.js';

it.each([
  [
    'what is the average salary employees earn?',
    'SELECT AVG(t1.`salary`) AS `avg_salary` FROM `employees` AS t1',
  ],
  ['list the last names customers have', 'SELECT t1.`last_name` FROM `customers` AS t1'],
])('the clause in "%s" names the table that has the columns', (question, sql) => {
  expect(readShop(question)[0]?.sql).toBe(sql);
});

it('a clause with further words after its verb is not read as a table name', () => {
  expect(readShop('average salary employees earn in winter').filter(({ cost }) => cost < 0.5)).toEqual([]);
});
