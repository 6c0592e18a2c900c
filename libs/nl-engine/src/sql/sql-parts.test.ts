import { expect, it } from 'vitest';
import { renderQuantity, renderUnit } from './sql-parts.js';

it.each([
  [{ op: '>', count: 3 }, '> 3'],
  [{ op: '=', count: 0 }, '= 0'],
  [{ op: '!=', count: 1 }, '!= 1'],
  [{ op: '>=', count: 2, upTo: 5 }, 'BETWEEN 2 AND 5'],
  [{ op: '=', count: 0, upTo: 0 }, 'BETWEEN 0 AND 0'],
] as const)('the quantity %o becomes an SQL comparison', (quantity, sql) => {
  expect(renderQuantity(quantity)).toBe(sql);
});

it.each([
  [undefined, 't1.`at`'],
  ['day', 'DATE(t1.`at`)'],
  ['month', "DATE_FORMAT(t1.`at`, '%Y-%m')"],
  ['year', 'YEAR(t1.`at`)'],
] as const)('renderUnit truncates a time to the unit "%s"', (unit, sql) => {
  expect(renderUnit('t1.`at`', unit)).toBe(sql);
});
