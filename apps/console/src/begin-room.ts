import type { DatabaseAnswer } from '@rowhouse/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { projectQuery } from './data/projects/queries.js';

/** What a screen asks of its database before it can show anything; exported by its module below `routes`. */
export type AskFirst = (queryClient: QueryClient, database: DatabaseAnswer) => void;

/** The same imports as in the table of routes: the code is fetched once. */
const ASKING: Readonly<Record<string, () => Promise<{ readonly askFirst: AskFirst }>>> = {
  '': () => import('./routes/overview.js'),
  api: () => import('./routes/api.js'),
  code: () => import('./routes/code.js'),
  data: () => import('./routes/data.js'),
  query: () => import('./routes/query.js'),
};

/** Has a room ask as soon as its code and its project are there: before the frame around it is drawn, not after. */
export async function beginRoom(queryClient: QueryClient, place: { readonly projectId: string; readonly environment: string }, pathname: string): Promise<void> {
  const load = ASKING[pathname.split('/')[4] ?? ''];
  if (load === undefined) return;
  const [{ askFirst }, project] = await Promise.all([load(), queryClient.ensureQueryData(projectQuery(place.projectId))]);
  const database = project.databases.find((candidate) => candidate.environment === place.environment);
  if (database?.state === 'ready') askFirst(queryClient, database);
}
