import type { DatabaseAnswer, InsightsAnswer, UsageAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';

/** Usage trails a call by a few seconds: asked for again while the page is looked at. */
const POLL_MS = 15_000;

/** Requests, errors and storage of the last 24 hours. */
export const dayUsageQuery = (database: DatabaseAnswer) =>
  queryOptions({
    queryKey: ['overview', database.id, 'usage'] as const,
    queryFn: () => sendRequest<UsageAnswer>('GET', `/api/databases/${database.id}/usage?step=hour&limit=24`),
    enabled: database.state === 'ready',
    refetchInterval: POLL_MS,
  });

/** Slow and failing routes of the newest requests. */
export const overviewInsightsQuery = (database: DatabaseAnswer) =>
  queryOptions({
    queryKey: ['overview', database.id, 'insights'] as const,
    queryFn: () => sendRequest<InsightsAnswer>('GET', `/api/databases/${database.id}/insights`),
    enabled: database.state === 'ready',
    refetchInterval: POLL_MS,
  });
