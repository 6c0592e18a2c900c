import type { ProvenTwoFactorRequest, RecoveryCodesResponse, TotpSetupResponse } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';

/** Creates the secret for an authenticator app. It has no effect until `useConfirmTwoFactor` confirms it. */
export const useBeginTwoFactor = () =>
  useChange(
    (password: string) => sendRequest<TotpSetupResponse>('POST', '/api/me/two-factor', { password }),
    null,
  );

export const useConfirmTwoFactor = () =>
  useChange(
    (code: string) => sendRequest<RecoveryCodesResponse>('POST', '/api/me/two-factor/confirm', { code }),
    sessionKeys.me,
  );

export const useTurnOffTwoFactor = () =>
  useChange(
    (request: ProvenTwoFactorRequest) => sendRequest<undefined>('DELETE', '/api/me/two-factor', request),
    sessionKeys.me,
  );

export const useRenewRecoveryCodes = () =>
  useChange(
    (request: ProvenTwoFactorRequest) =>
      sendRequest<RecoveryCodesResponse>('POST', '/api/me/two-factor/recovery-codes', request),
    sessionKeys.me,
  );
