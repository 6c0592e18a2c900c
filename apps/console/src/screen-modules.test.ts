import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { listFirstCalls, SCREEN_MODULES } from './screen-modules.js';
import { createConsoleRouter } from './router.js';

/** These paths redirect to another page and have no screen. */
const WAYS_ON = ['/', '/projects/$projectId'];
const tidy = (path: string): string => path.replace(/(?<=.)\/$/, '');

it('the module list of the console covers exactly the URLs with a screen', () => {
  const { routesByPath } = createConsoleRouter(new QueryClient());
  const addresses = new Set(
    Object.keys(routesByPath)
      .map(tidy)
      .filter((path) => !WAYS_ON.includes(path)),
  );
  expect(Object.keys(SCREEN_MODULES).sort()).toEqual([...addresses].sort());
});

it.each([
  ['/login', []],
  ['/account', ['/api/me']],
  ['/projects', ['/api/me', '/api/projects']],
  ['/projects/$projectId/$environment/keys', ['/api/me', '/api/projects/$projectId']],
])('the first API calls at %s are preloaded', (path, calls) => {
  expect(listFirstCalls(path)).toEqual(calls);
});
