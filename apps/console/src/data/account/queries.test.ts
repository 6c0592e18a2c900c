import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { sessionsQuery, tokensQuery } from './queries.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));

it.each([
  ['sessions', sessionsQuery],
  ['tokens', tokensQuery],
])('all %s of an account are loaded page by page', async (name, query) => {
  send
    .mockReset()
    .mockResolvedValueOnce({ items: [{ id: '1' }], next_cursor: 'a b' })
    .mockResolvedValueOnce({ items: [{ id: '2' }], next_cursor: null });
  expect(await new QueryClient().fetchQuery(query as typeof sessionsQuery)).toEqual([
    { id: '1' },
    { id: '2' },
  ]);
  expect(send.mock.calls).toEqual([
    ['GET', `/api/${name}`],
    ['GET', `/api/${name}?cursor=a%20b`],
  ]);
});
