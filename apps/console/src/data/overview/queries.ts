import type { DatabaseResponse, InsightsResponse, UsageResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { readGateway, toTablePath } from '../gateway/call-gateway.js';
import type { TableView } from '../schema/read-tables.js';

export const overviewKeys = { of: (databaseId: string) => ['overview', databaseId] as const };
/**
 * The interval at which usage is loaded again while the page is open. It is measured with a delay of a few
 * seconds.
 */
const POLL_MS = 15_000;

/** The maximum number of tables that are checked for rows. */
const LOOKED_INTO_MAX = 8;

/** Loads whether one of the first tables has a row. The tables are checked one after the other. */
export const hasRowsQuery = (database: DatabaseResponse, tables: readonly TableView[]) =>
  queryOptions({
    queryKey: [...overviewKeys.of(database.id), 'has-rows', database.snapshot_number] as const,
    queryFn: async ({ signal }): Promise<boolean> => {
      for (const table of tables.filter(({ kind }) => kind !== 'view').slice(0, LOOKED_INTO_MAX)) {
        const { body } = await readGateway<unknown[]>(database, {
          path: `${toTablePath(table)}?limit=1`,
          signal,
        });
        if (body.length > 0) return true;
      }
      return false;
    },
    enabled: database.state === 'ready',
  });

/** Requests, errors and storage of the last 24 hours. */
export const dayUsageQuery = (database: DatabaseResponse) =>
  queryOptions({
    queryKey: [...overviewKeys.of(database.id), 'usage'] as const,
    queryFn: () =>
      sendRequest<UsageResponse>('GET', `/api/databases/${database.id}/usage?step=hour&limit=24`),
    enabled: database.state === 'ready',
    refetchInterval: POLL_MS,
  });

/** Slow and failing routes among the newest requests. */
export const overviewInsightsQuery = (database: DatabaseResponse) =>
  queryOptions({
    queryKey: [...overviewKeys.of(database.id), 'insights'] as const,
    queryFn: () => sendRequest<InsightsResponse>('GET', `/api/databases/${database.id}/insights`),
    enabled: database.state === 'ready',
    refetchInterval: POLL_MS,
  });
