import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { projectKeys } from '../projects/queries.js';
import { useCreateDatabase, useDeleteDatabase } from './mutations.js';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [
    'makes',
    () => useCreateDatabase('prj_1'),
    { environment: 'staging' },
    ['/api/projects/prj_1/databases', 'POST', '{"environment":"staging"}'],
  ],
  [
    'deletes',
    () => useDeleteDatabase({ id: 'db_1' }),
    'staging',
    ['/api/databases/db_1', 'DELETE', '{"confirm":"staging"}'],
  ],
] as const)('the projects are reloaded after an environment was %s', async (_does, use, request, call) => {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => new Response('{}'));
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient();
  client.setQueryData(projectKeys.one('prj_1'), {});
  const { mutateAsync } = callHook(
    use as () => { mutateAsync: (request: unknown) => Promise<unknown> },
    client,
  );
  await mutateAsync(request);
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect([path, init?.method, init?.body]).toEqual(call);
  expect(client.getQueryState(projectKeys.one('prj_1'))?.isInvalidated).toBe(true);
});
