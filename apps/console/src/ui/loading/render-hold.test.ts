import { expect, it, vi } from 'vitest';
import { createRenderHold } from './render-hold.js';

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

it('a deferred render step runs once in a separate task', async () => {
  const { resume } = createRenderHold();
  const step = vi.fn();
  resume(step);
  expect(step).not.toHaveBeenCalled();
  await nextTask();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('a deferred render step waits until every hold has ended', async () => {
  const { hold, resume } = createRenderHold();
  const step = vi.fn();
  const [first, second] = [hold(), hold()];
  resume(step);
  first();
  first();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  second();
  // One part is replaced by another, which sets a new hold before the step runs.
  const third = hold();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
  third();
  await nextTask();
  expect(step).toHaveBeenCalledOnce();
});

it('a cancelled render step does not run', async () => {
  const { resume } = createRenderHold();
  const step = vi.fn();
  resume(step)();
  await nextTask();
  expect(step).not.toHaveBeenCalled();
});
