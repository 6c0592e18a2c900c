import { expect, it } from 'vitest';
import type { ColumnRef } from '../types.js';
import { pinsValue } from './draft-references.js';

const column: ColumnRef = { links: [], owner: null, position: 0 };

it('a single value identifies a row, but a period, a bound or an exclusion does not', () => {
  expect(pinsValue({ kind: 'compare', column, op: '=', value: { kind: 'number', value: 3 } })).toBe(true);
  expect(pinsValue({ kind: 'value', links: [], negated: false, owner: null })).toBe(true);
  expect(pinsValue({ kind: 'compare', column, op: '>', value: { kind: 'number', value: 3 } })).toBe(false);
  expect(
    pinsValue({ kind: 'compare', column, op: '=', value: { kind: 'period', from: '2025-01-01', to: null } }),
  ).toBe(false);
  expect(pinsValue({ kind: 'value', links: [], negated: true, owner: null })).toBe(false);
});
