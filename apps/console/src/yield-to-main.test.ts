import { expect, it } from 'vitest';
import { yieldToMain } from './yield-to-main.js';

it('yieldToMain resolves in a later task, after everything due in the current one', async () => {
  const order: string[] = [];
  const rested = yieldToMain().then(() => order.push('rested'));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (let iteration = 0; iteration < 10; iteration += 1) await Promise.resolve();
  expect(order).toEqual([]);
  await rested;
  expect(order).toEqual(['rested']);
});
