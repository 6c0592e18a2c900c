import { expect, it, vi } from 'vitest';
import { createRenderHold } from './render-hold.js';

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('a step runs once in a task of its own', async () => {
  const { resume } = createRenderHold();
  const step = vi.fn();
  resume(step);
  expect(step).not.toHaveBeenCalled();
  await nextTask();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('a step waits until there is no hold, whichever started first', async () => {
  const { hold, resume } = createRenderHold();
  const step = vi.fn();
  const [first, second] = [hold(), hold()];
  resume(step);
  first();
  first();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  second();
  // One part is replaced by another, which holds before the step runs.
  const third = hold();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  third();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('a cancelled step does not run', async () => {
  const { resume } = createRenderHold();
  const step = vi.fn();
  resume(step)();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
});
