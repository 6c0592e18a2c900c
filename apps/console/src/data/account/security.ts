import type {
  ChangePasswordRequest,
  CreateTokenRequest,
  EndedResponse,
  EndedSessionsResponse,
  TokenResponse,
  TwoFactorResponse,
} from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';
import { accountKeys } from './queries.js';

/** The key begins with the key of the session, because both change together. */
export const twoFactorQuery = queryOptions({
  queryKey: [...sessionKeys.me, 'two-factor'] as const,
  queryFn: () => sendRequest<TwoFactorResponse>('GET', '/api/me/two-factor'),
});

/**
 * Changes the password. The server ends all other sessions and, unless the request keeps them, all access
 * tokens. All queries are reloaded.
 */
export const useChangePassword = () =>
  useChange(
    (request: ChangePasswordRequest) => sendRequest<EndedResponse>('POST', '/api/me/password', request),
    [],
  );

export const useRevokeOtherSessions = () =>
  useChange(
    (_unused: undefined) => sendRequest<EndedSessionsResponse>('DELETE', '/api/sessions'),
    accountKeys.sessions,
  );

export const useRevokeSession = () =>
  useChange(
    (sessionId: string) => sendRequest<undefined>('DELETE', `/api/sessions/${sessionId}`),
    accountKeys.sessions,
  );

export const useCreateToken = () =>
  useChange(
    (request: CreateTokenRequest) => sendRequest<TokenResponse>('POST', '/api/tokens', request),
    accountKeys.tokens,
  );

export const useRevokeToken = () =>
  useChange(
    (tokenId: string) => sendRequest<undefined>('DELETE', `/api/tokens/${tokenId}`),
    accountKeys.tokens,
  );
