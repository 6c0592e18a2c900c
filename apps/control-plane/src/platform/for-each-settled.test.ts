import { expect, it } from 'vitest';
import { forEachSettled } from './for-each-settled.js';

const toText = (failed: number, total: number): string => `${failed} of ${total}`;

it('forEachSettled processes items in order and returns the results', async () => {
  const steps: string[] = [];
  const callback = async (item: string): Promise<void> => {
    steps.push(`${item} begins`);
    await Promise.resolve();
    steps.push(`${item} ends`);
  };
  expect(await forEachSettled(['a', 'b'], callback, toText)).toEqual(['a', 'b']);
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(await forEachSettled([], callback, toText)).toEqual([]);
});

it('forEachSettled continues after a failure and reports all failures at the end', async () => {
  const tried: number[] = [];
  const failing = forEachSettled(
    [1, 2, 3],
    (item) => (tried.push(item), item === 2 ? Promise.resolve() : Promise.reject(new Error(`no ${item}`))),
    toText,
  );
  const error: unknown = await failing.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(AggregateError);
  expect([(error as AggregateError).message, (error as AggregateError).errors]).toEqual([
    '2 of 3',
    [new Error('no 1'), new Error('no 3')],
  ]);
  expect(tried).toEqual([1, 2, 3]);
});
