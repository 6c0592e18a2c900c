import type {
  AccountResponse,
  EndedResponse,
  MailResponse,
  ResetPasswordRequest,
  UpdateAccountRequest,
} from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';

export const useUpdateAccount = () =>
  useChange(
    (request: UpdateAccountRequest) => sendRequest<AccountResponse>('PATCH', '/api/me', request),
    sessionKeys.me,
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
