import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { preloadFirstScreen } from './preload-first-screen.js';
import { createConsoleRouter } from './router.js';
import { listFirstCalls } from './screen-modules.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('./data/client/send-request.js', async (original) => ({
  ...(await original<object>()),
  sendRequest: send,
}));
beforeEach(() => {
  send.mockReset().mockRejectedValue(new Error('offline'));
});

async function begin(pathname: string) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createConsoleRouter(queryClient);
  const load = vi.fn((_route: { id: string }) => Promise.reject(new Error('offline')));
  await preloadFirstScreen(
    { getMatchedRoutes: router.getMatchedRoutes, loadRouteChunk: load as never },
    queryClient,
    pathname,
  );
  return load.mock.calls.map(([route]) => route.id).at(-1);
}

it.each([
  [
    '/projects/prj_1/development/keys',
    '/signed-in/projects/$projectId/$environment/keys',
    ['/api/me', '/api/projects/prj_1'],
  ],
  ['/projects', '/signed-in/projects', ['/api/me', '/api/projects']],
  ['/account', '/signed-in/account', ['/api/me']],
  ['/login', '/login', []],
  ['/nowhere/at/all', '__root__', []],
])(
  'opening %s immediately requests only the code, the session and the project',
  async (pathname, last, requests) => {
    expect(await begin(pathname)).toBe(last);
    expect(send.mock.calls.map(([, path]) => path)).toEqual(requests);
    if (last !== '__root__')
      expect(requests).toEqual(
        listFirstCalls(last.replace('/signed-in', '')).map((endpoint) =>
          endpoint.replace('$projectId', 'prj_1'),
        ),
      );
  },
);
