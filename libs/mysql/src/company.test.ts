import { expect, it } from 'vitest';
import { createCompany } from './company.js';

it('another tenant that was active within the last second counts as a neighbor', () => {
  let nowMs = 0;
  const company = createCompany(() => nowMs);
  expect(company.has('a')).toBe(false);
  company.note('a');
  expect([company.has('a'), company.has('b')]).toEqual([false, true]);
  company.note('b');
  nowMs = 500;
  for (let times = 0; times < 3; times += 1) company.note('a');
  expect([company.has('a'), company.has('b'), company.has('c')]).toEqual([true, true, true]);
  nowMs = 1_000;
  expect([company.has('a'), company.has('b')]).toEqual([false, true]);
  nowMs = 1_500;
  expect(company.has('b')).toBe(false);
});
