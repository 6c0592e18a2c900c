import type { AccountAnswer, ChangePasswordRequest, CreateTokenRequest, ResetPasswordRequest, TokenAnswer, UpdateAccountRequest } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { sessionKeys } from '../session/keys.js';
import { accountKeys } from './keys.js';

export function useUpdateAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: UpdateAccountRequest) => sendRequest<AccountAnswer>('PATCH', '/api/me', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKeys.me }),
  });
}

/** Every other session ends. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ChangePasswordRequest) => sendRequest<undefined>('POST', '/api/me/password', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}

export function useSendVerification() {
  return useMutation({ mutationFn: () => sendRequest<undefined>('POST', '/api/me/verification', {}) });
}

export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => sendRequest<undefined>('POST', '/api/auth/verify', { token }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKeys.me }),
  });
}

/** The answer is the same whether or not there is such an account. */
export function useForgotPassword() {
  return useMutation({ mutationFn: (email: string) => sendRequest<undefined>('POST', '/api/auth/forgot', { email }) });
}

export function useResetPassword() {
  return useMutation({ mutationFn: (request: ResetPasswordRequest) => sendRequest<undefined>('POST', '/api/auth/reset', request) });
}

export function useRevokeSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) => sendRequest<undefined>('DELETE', `/api/sessions/${sessionId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}

export function useCreateToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateTokenRequest) => sendRequest<TokenAnswer>('POST', '/api/tokens', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.tokens }),
  });
}

export function useRevokeToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) => sendRequest<undefined>('DELETE', `/api/tokens/${tokenId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.tokens }),
  });
}
