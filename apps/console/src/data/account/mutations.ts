import type {
  AccountResponse,
  ChangePasswordRequest,
  CreateTokenRequest,
  EndedResponse,
  MailResponse,
  ResetPasswordRequest,
  TokenResponse,
  UpdateAccountRequest,
} from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';
import { accountKeys } from './queries.js';

export const useUpdateAccount = () =>
  useChange(
    (request: UpdateAccountRequest) => sendRequest<AccountResponse>('PATCH', '/api/me', request),
    sessionKeys.me,
  );

/**
 * Changes the password. The server ends all other sessions and, unless the request keeps them, all access
 * tokens. All queries are reloaded.
 */
export const useChangePassword = () =>
  useChange(
    (request: ChangePasswordRequest) => sendRequest<EndedResponse>('POST', '/api/me/password', request),
    [],
  );

export const useSendVerification = () =>
  useChange((_unused: undefined) => sendRequest<MailResponse>('POST', '/api/me/verification', {}), null);

export const useVerifyEmail = () =>
  useChange((token: string) => sendRequest<undefined>('POST', '/api/auth/verify', { token }), sessionKeys.me);

/**
 * Requests an email with a link for setting a new password. The response does not reveal whether the account
 * exists.
 */
export const useForgotPassword = () =>
  useChange((email: string) => sendRequest<MailResponse>('POST', '/api/auth/forgot', { email }), null);

export const useResetPassword = () =>
  useChange(
    (request: ResetPasswordRequest) => sendRequest<EndedResponse>('POST', '/api/auth/reset', request),
    null,
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
