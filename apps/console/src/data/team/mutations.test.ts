import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { projectKeys } from '../projects/queries.js';
import { sessionKeys } from '../session/queries.js';
import { useLeaveOrganization } from './mutations.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));

it('leaving an organization reloads session and projects, but not the open project', async () => {
  send.mockResolvedValue(undefined);
  const queryClient = new QueryClient();
  for (const key of [sessionKeys.me, projectKeys.all, projectKeys.one('prj_1')])
    queryClient.setQueryData(key, 'read');
  await callHook(() => useLeaveOrganization('org_1'), queryClient).mutateAsync('acc_1');
  expect(send.mock.calls).toEqual([['DELETE', '/api/organizations/org_1/members/acc_1']]);
  expect(
    [sessionKeys.me, projectKeys.all, projectKeys.one('prj_1')].map(
      (key) => queryClient.getQueryState(key)?.isInvalidated,
    ),
  ).toEqual([true, true, false]);
});
