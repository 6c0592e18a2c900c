import { expect, it } from 'vitest';
import { createFairByteBudget } from './fair-byte-budget.js';

it('take() gives the first owner half of the byte budget, and each later owner half of the rest', () => {
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

it('take() never exceeds the byte budget, and give() makes bytes available again', () => {
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
