import type { ListResponse, QuestionResponse, SavedQueryResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { readGateway, type GatewayDatabase } from '../gateway/call-gateway.js';

export const queryKeys = {
  saved: (databaseId: string) => ['queries', databaseId, 'saved'] as const,
  samples: (databaseId: string, snapshot: number) => ['queries', databaseId, 'samples', snapshot] as const,
  asked: (databaseId: string) => ['queries', databaseId, 'asked'] as const,
};
export const savedQueriesQuery = (databaseId: string) =>
  queryOptions({
    queryKey: queryKeys.saved(databaseId),
    queryFn: () => fetchAll<SavedQueryResponse>(`/api/databases/${databaseId}/saved-queries`),
  });

/** The sample questions that the gateway suggests for this schema. */
export const sampleQuestionsQuery = (database: GatewayDatabase & { readonly snapshot_number: number }) =>
  queryOptions({
    queryKey: queryKeys.samples(database.id, database.snapshot_number),
    queryFn: async ({ signal }) =>
      (await readGateway<{ samples: readonly string[] }>(database, { path: '/query', signal })).body.samples,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The newest questions asked of this database. */
export const askedQuestionsQuery = (databaseId: string) =>
  queryOptions({
    queryKey: queryKeys.asked(databaseId),
    queryFn: async () =>
      (
        await sendRequest<ListResponse<QuestionResponse>>(
          'GET',
          `/api/databases/${databaseId}/questions?limit=30`,
        )
      ).items,
  });
