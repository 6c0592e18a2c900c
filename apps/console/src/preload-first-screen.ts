import type { QueryClient } from '@tanstack/react-query';
import { preloadPage } from './preload-page.js';
import { projectQuery, projectsQuery } from './data/projects/queries.js';
import { sessionQuery } from './data/session/queries.js';
import { projects, signedIn } from './frame-routes.js';
import type { createConsoleRouter } from './router.js';
import { yieldToMain } from './yield-to-main.js';

/**
 * Requests everything that the first screen needs at the same time: its code, the session and its project.
 * Otherwise each request would wait for the previous one, which takes a second or two on a slow connection.
 * Errors are ignored here, because they occur again where the result is awaited. All calls that the server
 * preloads with the page (`listFirstCalls`) must be made here. Otherwise a later call could use the preloaded
 * response although it is outdated. Each request starts in its own task. The promise resolves when all
 * requests have started.
 */
export async function preloadFirstScreen(
  router: Pick<ReturnType<typeof createConsoleRouter>, 'getMatchedRoutes' | 'loadRouteChunk'>,
  queryClient: QueryClient,
  pathname: string,
): Promise<void> {
  const [routes, { projectId, environment }] = router.getMatchedRoutes(pathname);
  await yieldToMain();
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  if (!routes.some((route) => route.id === signedIn.id)) return;
  await yieldToMain();
  void queryClient.prefetchQuery(sessionQuery);
  if (routes.some((route) => route.id === projects.id)) void queryClient.prefetchQuery(projectsQuery);
  if (projectId === undefined) return;
  await yieldToMain();
  void queryClient.prefetchQuery(projectQuery(projectId));
  if (environment !== undefined)
    preloadPage(queryClient, { projectId, environment }, pathname).catch(() => undefined);
}
