import { expect, it, vi } from 'vitest';
import { createHolds } from './holds.js';

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('has a step done in a task of its own, once', async () => {
  const { goOn } = createHolds();
  const step = vi.fn();
  goOn(step);
  expect(step).not.toHaveBeenCalled();
  await nextTask();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('waits until nobody holds, whoever began before', async () => {
  const { hold, goOn } = createHolds();
  const step = vi.fn();
  const [first, second] = [hold(), hold()];
  goOn(step);
  first();
  first();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  second();
  // One part goes and another comes in its place at once: it holds before the step is taken.
  const third = hold();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  third();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('does nothing of what was called off', async () => {
  const { goOn } = createHolds();
  const step = vi.fn();
  goOn(step)();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
});
