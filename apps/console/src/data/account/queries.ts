import type { SessionItem, TokenItem, TwoFactorResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { fetchAll } from '../client/fetch-all.js';
import { sessionKeys } from '../session/queries.js';

export const accountKeys = {
  sessions: ['sessions'] as const,
  tokens: ['tokens'] as const,
  /** Begins with the key of the session, because both change together. */
  twoFactor: [...sessionKeys.me, 'two-factor'] as const,
};
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: () => fetchAll<SessionItem>('/api/sessions'),
});
export const tokensQuery = queryOptions({
  queryKey: accountKeys.tokens,
  queryFn: () => fetchAll<TokenItem>('/api/tokens'),
});
export const twoFactorQuery = queryOptions({
  queryKey: accountKeys.twoFactor,
  queryFn: () => sendRequest<TwoFactorResponse>('GET', '/api/me/two-factor'),
});
