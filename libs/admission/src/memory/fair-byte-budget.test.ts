import { expect, it } from 'vitest';
import { createFairByteBudget } from './fair-byte-budget.js';

it('one owner gets half of the capacity, and every other owner a part of the rest', () => {
  const byteBudget = createFairByteBudget(12);
  const fill = (owner: string): number => {
    let takenCount = 0;
    while (byteBudget.take(owner, 1)) takenCount += 1;
    return takenCount;
  };
  expect([byteBudget.spare('a'), fill('a'), byteBudget.spare('a'), fill('b'), fill('c')]).toEqual([
    6, 6, 0, 3, 2,
  ]);
});

it('nothing is reserved beyond the capacity, and released bytes are available again', () => {
  const byteBudget = createFairByteBudget(12);
  expect([
    byteBudget.take('a', 13),
    byteBudget.take('a', 12),
    byteBudget.take('b', 1),
    byteBudget.spare('a'),
  ]).toEqual([false, true, false, -6]);
  byteBudget.give('a', 12);
  expect([byteBudget.take('b', 1), byteBudget.spare('a'), byteBudget.spare('b')]).toEqual([true, 5.5, 5]);
});
