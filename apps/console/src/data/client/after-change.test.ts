import { expect, it } from 'vitest';
import { afterChange } from './after-change.js';

/** What followed, once the change has ended and whatever waited for it was run. */
async function followed(change: Promise<string>): Promise<string[]> {
  const heard: string[] = [];
  afterChange(change, (answer) => heard.push(answer));
  await change.catch(() => undefined);
  await Promise.resolve();
  return heard;
}

it('follows a change that succeeded, with its answer', async () => {
  expect(await followed(Promise.resolve('done'))).toEqual(['done']);
});

it('leaves a refusal to what shows it: nothing follows, and a rejection that nobody hears of would fail this run', async () => {
  expect(await followed(Promise.reject(new Error('refused')))).toEqual([]);
});
