import { expect, it } from 'vitest';
import { estimateRowCost } from './estimate-row-cost.js';

const take = (sizes: readonly number[], time: (rows: number) => number): { rows: number; elapsedMs: number }[] => sizes.map((rows) => ({ rows, elapsedMs: time(rows) }));

it('tells what rows cost from what each chunk costs', () => {
  const cost = estimateRowCost(take([100, 25, 150, 40], (rows) => 40 + 0.5 * rows));
  expect(cost?.likely).toBeCloseTo(0.5, 9);
  expect(cost?.surely).toBeCloseTo(0.5, 9);
});

it('is not moved by a chunk that was held up', () => {
  const chunks = [...take([100, 25, 150, 40, 120, 30], (rows) => 40 + 0.5 * rows), { rows: 35, elapsedMs: 5_000 }];
  expect(estimateRowCost(chunks)?.likely).toBeCloseTo(0.5, 9);
});

it('is less sure the more chance there is in the times', () => {
  const cost = estimateRowCost([{ rows: 100, elapsedMs: 90 }, { rows: 25, elapsedMs: 40 }, { rows: 100, elapsedMs: 30 }, { rows: 25, elapsedMs: 60 }, { rows: 100, elapsedMs: 70 }, { rows: 25, elapsedMs: 45 }]);
  expect(cost?.surely).toBeLessThan(cost?.likely ?? 0);
});

it('says nothing of chunks of one size, nor of none', () => {
  expect(estimateRowCost([])).toBeNull();
  expect(estimateRowCost(take([100, 100, 95, 0.5 * 190], () => 40))).toBeNull();
  expect(estimateRowCost(take([0, 0], () => 1))).toBeNull();
});
