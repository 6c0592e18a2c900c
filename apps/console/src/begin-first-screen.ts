import type { QueryClient } from '@tanstack/react-query';
import { beginRoom } from './begin-room.js';
import { projectQuery, projectsQuery } from './data/projects/queries.js';
import { sessionQuery } from './data/session/queries.js';
import { projects, signedIn } from './frame-routes.js';
import type { createConsoleRouter } from './router.js';
import { rest } from './rest.js';

/**
 * Begins at once what the first screen needs: its code, the session, its project. Else each of them would be asked for when
 * the one before it is there, which on a slow line is a second or two. What fails here fails again where it is waited for.
 * What the server has had fetched along with the page (`listFirstCalls`) is all asked for here: an answer that lay about until
 * later would be taken for a new one then. Each in a task of its own; resolves when all have begun.
 */
export async function beginFirstScreen(router: Pick<ReturnType<typeof createConsoleRouter>, 'getMatchedRoutes' | 'loadRouteChunk'>, queryClient: QueryClient, pathname: string): Promise<void> {
  const [routes, { projectId, environment }] = router.getMatchedRoutes(pathname);
  await rest();
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  if (!routes.some((route) => route.id === signedIn.id)) return;
  await rest();
  void queryClient.prefetchQuery(sessionQuery);
  if (routes.some((route) => route.id === projects.id)) void queryClient.prefetchQuery(projectsQuery);
  if (projectId === undefined) return;
  await rest();
  void queryClient.prefetchQuery(projectQuery(projectId));
  if (environment !== undefined) beginRoom(queryClient, { projectId, environment }, pathname).catch(() => undefined);
}
