import type { ConnectionResponse, DirectAccessResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const connectionKeys = {
  of: (databaseId: string) => ['connections', databaseId] as const,
  access: (databaseId: string) => ['direct-access', databaseId] as const,
};
export const connectionsQuery = (databaseId: string) =>
  queryOptions({
    queryKey: connectionKeys.of(databaseId),
    queryFn: () => fetchAll<ConnectionResponse>(`/api/databases/${databaseId}/connections`),
  });

/**
 * Loads a database's engine, the limits of its direct connections, and what database tools need in order to
 * use them.
 */
export const directAccessQuery = (databaseId: string) =>
  queryOptions({
    queryKey: connectionKeys.access(databaseId),
    queryFn: () => sendRequest<DirectAccessResponse>('GET', `/api/databases/${databaseId}/direct-access`),
    staleTime: 300_000,
  });
