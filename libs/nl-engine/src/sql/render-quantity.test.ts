import { expect, it } from 'vitest';
import { renderQuantity } from './sql-parts.js';

it.each([
  [{ op: '>', count: 3 }, '> 3'],
  [{ op: '=', count: 0 }, '= 0'],
  [{ op: '!=', count: 1 }, '!= 1'],
  [{ op: '>=', count: 2, upTo: 5 }, 'BETWEEN 2 AND 5'],
  [{ op: '=', count: 0, upTo: 0 }, 'BETWEEN 0 AND 0'],
] as const)('the quantity %o becomes its comparison', (quantity, sql) => {
  expect(renderQuantity(quantity)).toBe(sql);
});
