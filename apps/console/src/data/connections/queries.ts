import type { ConnectionAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { connectionKeys } from './keys.js';

export const connectionsQuery = (databaseId: string) =>
  queryOptions({
    queryKey: connectionKeys.of(databaseId),
    queryFn: () => fetchAll<ConnectionAnswer>(`/api/databases/${databaseId}/connections`),
  });
