import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../data/client/api-error.js';
import { rowKeys } from '../../../data/rows/queries.js';
import { callHook } from '../../../testing/call-hook.js';
import { useFillTables } from './seed-button.js';

const { send, show } = vi.hoisted(() => ({ send: vi.fn(), show: vi.fn() }));
vi.mock('../../../data/client/send-request.js', () => ({ sendRequest: send }));
vi.mock('../../../ui/notices/toasts.js', () => ({ showToast: show }));
beforeEach(() => {
  send.mockReset();
  show.mockReset();
});

it('useFillTables reports the result and loads the rows again', async () => {
  send.mockResolvedValueOnce({
    rows: 40,
    tables: [
      { name: 'users', rows: 20, reason: null },
      { name: 'posts', rows: 20, reason: null },
    ],
  });
  const queryClient = new QueryClient();
  const key = rowKeys.list('db_1', 'users', '/users');
  queryClient.setQueryData(key, 'read');
  callHook(() => useFillTables({ id: 'db_1' }), queryClient).fill();
  await vi.waitFor(() => expect(show.mock.calls).toEqual([[{ text: 'Added 40 sample rows to 2 tables.' }]]));
  expect(send).toHaveBeenCalledWith('POST', '/api/databases/db_1/seed', {});
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

it('useFillTables reports an error', async () => {
  send.mockRejectedValueOnce(new ApiError(503, { detail: 'Busy.', code: 'limit.busy' }));
  callHook(() => useFillTables({ id: 'db_1' })).fill();
  await vi.waitFor(() =>
    expect(show.mock.calls).toEqual([
      [{ text: 'Couldn’t create sample rows: Busy.', tone: 'brick', requestId: null }],
    ]),
  );
});
