import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { ApiError } from './api-error.js';
import { useChange, afterChange } from './use-change.js';

let queryClient = new QueryClient();
const send = vi.fn(async (input: string) => {
  if (input === 'what is refused') throw new ApiError(409, { detail: 'Taken.', code: 'resource.conflict' });
  return `done: ${input}`;
});
const change = (stale: readonly string[] | null) => callHook(() => useChange(send, stale), queryClient);
const isStale = (...key: string[]) => queryClient.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  send.mockClear();
  queryClient = new QueryClient();
  for (const key of [['rows', 'a'], ['rows', 'b'], ['team']]) queryClient.setQueryData(key, 'read');
});

it('useChange returns the response and reloads the queries with the given prefix', async () => {
  expect(await change(['rows']).mutateAsync('this')).toBe('done: this');
  expect(send.mock.calls.map(([input]) => input)).toEqual(['this']);
  expect([isStale('rows', 'a'), isStale('rows', 'b'), isStale('team')]).toEqual([true, true, false]);
});

it('useChange reloads nothing for null and everything for an empty key', async () => {
  await change(null).mutateAsync('this');
  expect([isStale('rows', 'a'), isStale('team')]).toEqual([false, false]);
  await change([]).mutateAsync('this');
  expect([isStale('rows', 'a'), isStale('team')]).toEqual([true, true]);
});

it('useChange throws the error of a failed change and reloads nothing', async () => {
  await expect(change(['rows']).mutateAsync('what is refused')).rejects.toMatchObject({
    code: 'resource.conflict',
  });
  expect(isStale('rows', 'a')).toBe(false);
});

it('the callback of useChange runs after the component was unmounted', async () => {
  const { mutate, mutateAsync } = change(['rows']);
  const messages: string[] = [];
  mutate('one', { onSuccess: () => messages.push('told to a page that was left') });
  afterChange(mutateAsync('two'), (answer) => messages.push(answer));
  afterChange(mutateAsync('what is refused'), (answer) => messages.push(answer));
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(3));
  await vi.waitFor(() => expect(messages).toEqual(['done: two']));
});
