import type { SessionItem, TokenItem } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';

export const accountKeys = { sessions: ['sessions'] as const, tokens: ['tokens'] as const };
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: () => fetchAll<SessionItem>('/api/sessions'),
});
export const tokensQuery = queryOptions({
  queryKey: accountKeys.tokens,
  queryFn: () => fetchAll<TokenItem>('/api/tokens'),
});
