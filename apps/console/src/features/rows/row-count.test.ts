import { expect, it } from 'vitest';
import { describeCount, reportCounted } from './row-count.js';

it('an estimated row count is shown as an estimate', () => {
  expect([0, 950, 9_999, 1_234_567].map(describeCount)).toEqual(['0', '950', '9,999', '1.23M']);
});

it('an exact row count is shown, or the error if counting fails', () => {
  expect([0, 1, 12_345, null].map(reportCounted)).toEqual(['0 rows', '1 row', '12,345 rows', 'Not counted']);
});
