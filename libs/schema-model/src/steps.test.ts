import { expect, it } from 'vitest';
import { doSteps, runStepsInSlices, type Steps } from './steps.js';

function* count(seen: string[], failAt = 0): Steps<number> {
  for (let index = 1; index <= 3; index += 1) {
    if (index === failAt) throw new Error('broken');
    seen.push(`step ${index}`);
    yield;
  }
  return 3;
}

it('doSteps runs all steps without pauses, and runStepsInSlices pauses between them', async () => {
  const seen: string[] = [];
  expect(doSteps(count(seen))).toBe(3);
  expect(await runStepsInSlices(count(seen), async () => void seen.push('pause'))).toBe(3);
  expect(seen).toEqual([
    'step 1',
    'step 2',
    'step 3',
    'step 1',
    'pause',
    'step 2',
    'pause',
    'step 3',
    'pause',
  ]);
});

it('doSteps and runStepsInSlices throw the error of a step', async () => {
  expect(() => doSteps(count([], 2))).toThrow('broken');
  await expect(runStepsInSlices(count([], 2), () => Promise.resolve())).rejects.toThrow('broken');
});
