import type { QueryClient } from '@tanstack/react-query';
import type { PreloadQueries } from './data/preload-queries.js';
import { projectQuery } from './data/projects/queries.js';

/** The imports are the same as in the route table, so that each module is loaded once. */
const PRELOADS: Readonly<Record<string, () => Promise<{ readonly preloadQueries: PreloadQueries }>>> = {
  '': () => import('./routes/project/overview.js'),
  api: () => import('./routes/project/api.js'),
  code: () => import('./routes/project/code.js'),
  data: () => import('./routes/project/data.js'),
  query: () => import('./routes/project/query.js'),
};

/**
 * Sends a page's requests as soon as its code and the project are loaded, before the layout around the page
 * is rendered.
 */
export async function preloadPage(
  queryClient: QueryClient,
  location: { readonly projectId: string; readonly environment: string },
  pathname: string,
): Promise<void> {
  const load = PRELOADS[pathname.split('/')[4] ?? ''];
  if (load === undefined) return;
  const [{ preloadQueries }, project] = await Promise.all([
    load(),
    queryClient.ensureQueryData(projectQuery(location.projectId)),
  ]);
  const database = project.databases.find((candidate) => candidate.environment === location.environment);
  if (database?.state === 'ready') preloadQueries(queryClient, database);
}
