import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { preloadPage } from './preload-page.js';

const { send, preloadQueries } = vi.hoisted(() => ({ send: vi.fn(), preloadQueries: vi.fn() }));
vi.mock('./data/client/send-request.js', async (original) => ({
  ...(await original<object>()),
  sendRequest: send,
}));
vi.mock('./routes/project/overview.js', () => ({ preloadQueries }));

const READY = { id: 'db_1', environment: 'development', state: 'ready' };
const DATABASES = [READY, { id: 'db_2', environment: 'staging', state: 'creating' }];

beforeEach(() => {
  preloadQueries.mockReset();
  send.mockReset().mockResolvedValue({ id: 'prj_1', databases: DATABASES });
});

const begin = (environment: string, page: string): Promise<void> =>
  preloadPage(
    new QueryClient(),
    { projectId: 'prj_1', environment },
    `/projects/prj_1/${environment}${page}`,
  );

it('preloadPage requests the data of the database in the URL', async () => {
  await begin('development', '');
  expect(send.mock.calls.map(([, path]) => path)).toEqual(['/api/projects/prj_1']);
  expect(preloadQueries).toHaveBeenCalledExactlyOnceWith(expect.any(QueryClient), READY);
});

it('preloadPage requests nothing for a database that is not ready', async () => {
  await begin('staging', '');
  await begin('nowhere', '/');
  expect(preloadQueries).not.toHaveBeenCalled();
  send.mockClear();
  await begin('development', '/keys');
  expect(send).not.toHaveBeenCalled();
});
