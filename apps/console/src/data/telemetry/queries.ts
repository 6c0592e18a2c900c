import type {
  InsightsResponse,
  LimitsResponse,
  ListResponse,
  RequestItem,
  UsageResponse,
  UsageBreakdownResponse,
} from '@rowhouse/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { withCursor } from '../client/fetch-all.js';
import { sendRequest, toSearch } from '../client/send-request.js';

const telemetryKeys = {
  requests: (databaseId: string) => ['requests', databaseId] as const,
  usage: (databaseId: string) => ['usage', databaseId] as const,
};
const PAGE_LINES = 50;
const LIVE_POLL_MS = 2_000;

export interface RequestFilter {
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly route?: string | undefined;
  readonly key?: string | undefined;
  readonly code?: string | undefined;
  readonly request?: string | undefined;
  readonly source?: 'api' | 'console' | undefined;
  readonly slow_ms?: number | undefined;
  readonly since?: string | undefined;
}

/** The request log, newest first. If `isLive` is true, the log is polled every two seconds. */
export const requestsQuery = (databaseId: string, filter: RequestFilter, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: [...telemetryKeys.requests(databaseId), filter] as const,
    queryFn: ({ pageParam }) =>
      sendRequest<ListResponse<RequestItem>>(
        'GET',
        withCursor(
          `/api/databases/${databaseId}/requests${toSearch({ ...filter, limit: PAGE_LINES })}`,
          pageParam,
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: isLive ? LIVE_POLL_MS : false,
    placeholderData: keepPreviousData,
    staleTime: 1_000,
  });

export type UsageStep = 'minute' | 'hour' | 'day';

export const usageQuery = (databaseId: string, step: UsageStep, from: string, to: string) =>
  queryOptions({
    queryKey: [...telemetryKeys.usage(databaseId), step, from] as const,
    queryFn: () =>
      sendRequest<UsageResponse>(
        'GET',
        `/api/databases/${databaseId}/usage${toSearch({ step, from, to, limit: 1_500 })}`,
      ),
    staleTime: 30_000,
  });

export const breakdownQuery = (databaseId: string, by: 'key' | 'table', days: number) =>
  queryOptions({
    queryKey: [...telemetryKeys.usage(databaseId), by, days] as const,
    queryFn: () =>
      sendRequest<UsageBreakdownResponse>(
        'GET',
        `/api/databases/${databaseId}/usage/breakdown${toSearch({ by, days })}`,
      ),
    staleTime: 30_000,
  });

export const limitsQuery = (databaseId: string) =>
  queryOptions({
    queryKey: [...telemetryKeys.usage(databaseId), 'limits'] as const,
    queryFn: () => sendRequest<LimitsResponse>('GET', `/api/databases/${databaseId}/limits`),
    refetchInterval: 30_000,
  });

export const insightsQuery = (databaseId: string, hours: number) =>
  queryOptions({
    queryKey: [...telemetryKeys.usage(databaseId), 'insights', hours] as const,
    queryFn: () =>
      sendRequest<InsightsResponse>('GET', `/api/databases/${databaseId}/insights${toSearch({ hours })}`),
    staleTime: 30_000,
  });
