import type { DatabaseResponse, ProjectResponse, ProjectItem } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const projectKeys = {
  all: ['projects'] as const,
  one: (projectId: string) => ['projects', projectId] as const,
};
const PENDING_POLL_MS = 1_000;

export const projectsQuery = queryOptions({
  queryKey: projectKeys.all,
  queryFn: () => fetchAll<ProjectItem>('/api/projects'),
  refetchInterval: (query) => (query.state.data?.some(isBeingCreated) === true ? PENDING_POLL_MS : false),
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: projectKeys.one(projectId),
    queryFn: () => sendRequest<ProjectResponse>('GET', `/api/projects/${projectId}`),
    // The breadcrumb of the error screen uses this query too, and must not repeat the failed request when it
    // is mounted.
    retryOnMount: false,
    refetchInterval: (query) =>
      query.state.data && isBeingCreated(query.state.data) ? PENDING_POLL_MS : false,
  });

function isBeingCreated(project: ProjectResponse): boolean {
  return project.databases.some((database) => database.state === 'pending');
}

/** Sorts databases by environment: development, production, then the others by name. */
export function sortDatabases(databases: readonly DatabaseResponse[]): DatabaseResponse[] {
  const rank = (environment: string): number =>
    environment === 'development' ? 0 : environment === 'production' ? 1 : 2;
  return [...databases].sort(
    (a, b) => rank(a.environment) - rank(b.environment) || a.environment.localeCompare(b.environment),
  );
}
