import type { EngineItem } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';

/** The engines that new databases of an organization can have. */
export const enginesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['engines', organizationId] as const,
    queryFn: () => fetchAll<EngineItem>(`/api/organizations/${organizationId}/engines`),
    staleTime: 300_000,
  });
