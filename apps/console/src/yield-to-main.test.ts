import { expect, it } from 'vitest';
import { rest } from './rest.js';

it('it resolves in a later task, after everything due in this one', async () => {
  const order: string[] = [];
  const rested = rest().then(() => order.push('rested'));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  expect(order).toEqual([]);
  await rested;
  expect(order).toEqual(['rested']);
});
