import { expect, it } from 'vitest';
import { afterChange } from './use-change.js';

/** Returns what the callback of `afterChange` received once the change had ended. */
async function followed(change: Promise<string>): Promise<string[]> {
  const received: string[] = [];
  afterChange(change, (answer) => received.push(answer));
  await change.catch(() => undefined);
  await Promise.resolve();
  return received;
}

it('afterChange calls back with the response of a successful change', async () => {
  expect(await followed(Promise.resolve('done'))).toEqual(['done']);
});

it('afterChange ignores a failed change without an unhandled rejection', async () => {
  expect(await followed(Promise.reject(new Error('refused')))).toEqual([]);
});
