import { expect, it } from 'vitest';
import { createNeighborActivity } from './neighbor-activity.js';

it('a tenant that was active within the last second counts as an active neighbor', () => {
  let nowMs = 0;
  const neighbors = createNeighborActivity(() => nowMs);
  expect(neighbors.has('a')).toBe(false);
  neighbors.note('a');
  expect([neighbors.has('a'), neighbors.has('b')]).toEqual([false, true]);
  neighbors.note('b');
  nowMs = 500;
  for (let times = 0; times < 3; times += 1) neighbors.note('a');
  expect([neighbors.has('a'), neighbors.has('b'), neighbors.has('c')]).toEqual([true, true, true]);
  nowMs = 1_000;
  expect([neighbors.has('a'), neighbors.has('b')]).toEqual([false, true]);
  nowMs = 1_500;
  expect(neighbors.has('b')).toBe(false);
});
