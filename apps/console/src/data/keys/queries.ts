import type { KeyResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';

export const keyKeys = {
  all: ['keys'] as const,
  of: (databaseId: string) => ['keys', databaseId] as const,
};
export const keysQuery = (databaseId: string) =>
  queryOptions({
    queryKey: keyKeys.of(databaseId),
    queryFn: () => fetchAll<KeyResponse>(`/api/databases/${databaseId}/keys`),
  });
