import { QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { ApiError } from './api-error.js';
import { createQueryClient } from './query-client.js';

it('the query client ignores a response that was requested before a change, even the first one', async () => {
  const client = createQueryClient(vi.fn(), vi.fn());
  const answers: ((text: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['draft'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  const isAgain = client.invalidateQueries({ queryKey: ['draft'] });
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after it');
  await isAgain;
  expect(client.getQueryData(['draft'])).toBe('after it');
  leave();
});

it('the query client reports a lost session and an organization that requires two-factor authentication', async () => {
  const [onSessionLost, onClosed] = [vi.fn(), vi.fn()];
  const client = createQueryClient(onSessionLost, onClosed);
  const fail = (code: string): Promise<unknown> =>
    client
      .fetchQuery({ queryKey: [code], queryFn: () => Promise.reject(new ApiError(403, { code })) })
      .catch(() => undefined);
  await fail('auth.role');
  expect([onSessionLost, onClosed].map((listener) => listener.mock.calls.length)).toEqual([0, 0]);
  await fail('auth.two_factor_required');
  expect([onSessionLost, onClosed].map((listener) => listener.mock.calls.length)).toEqual([0, 1]);
  await fail('auth.missing_session');
  expect([onSessionLost, onClosed].map((listener) => listener.mock.calls.length)).toEqual([1, 1]);
});
