import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { sessionKeys } from '../session/queries.js';
import { useCreateOrganization, useDeleteOrganization, useRenameOrganization } from './mutations.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));
beforeEach(() => {
  send.mockReset().mockResolvedValue({ ok: true });
});

it.each([
  ['a new one', useCreateOrganization, ['POST', '/api/organizations', { name: 'Row' }]],
  [
    'another name',
    () => useRenameOrganization('org_1'),
    ['PATCH', '/api/organizations/org_1', { name: 'Row' }],
  ],
  [
    'its end',
    () => useDeleteOrganization('org_1'),
    ['DELETE', '/api/organizations/org_1', { confirm: 'Row' }],
  ],
])('the mutation %s reloads the session and its organizations', async (_what, callback, call) => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionKeys.me, 'read');
  await callHook(callback as typeof useCreateOrganization, queryClient).mutateAsync('Row');
  expect(send.mock.calls).toEqual([call]);
  expect(queryClient.getQueryState(sessionKeys.me)?.isInvalidated).toBe(true);
});
