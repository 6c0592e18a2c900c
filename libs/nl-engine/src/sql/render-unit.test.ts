import { expect, it } from 'vitest';
import { renderUnit } from './sql-parts.js';

it.each([
  [undefined, 't1.`at`'],
  ['day', 'DATE(t1.`at`)'],
  ['month', "DATE_FORMAT(t1.`at`, '%Y-%m')"],
  ['year', 'YEAR(t1.`at`)'],
] as const)('a time is truncated to the unit "%s"', (unit, sql) => {
  expect(renderUnit('t1.`at`', unit)).toBe(sql);
});
