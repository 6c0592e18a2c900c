import type { SynonymResponse, ValueIndexResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const synonymKeys = {
  of: (projectId: string) => ['synonyms', projectId] as const,
  index: (databaseId: string) => ['value-index', databaseId] as const,
};
export const synonymsQuery = (projectId: string) =>
  queryOptions({
    queryKey: synonymKeys.of(projectId),
    queryFn: () => fetchAll<SynonymResponse>(`/api/projects/${projectId}/synonyms`),
  });

export const valueIndexQuery = (databaseId: string) =>
  queryOptions({
    queryKey: synonymKeys.index(databaseId),
    queryFn: () => sendRequest<ValueIndexResponse>('GET', `/api/databases/${databaseId}/value-index`),
  });
