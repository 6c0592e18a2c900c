import type {
  DeleteAccountRequest,
  SessionResponse,
  SignupResponse,
  SignupRequest,
} from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest, setCsrfToken } from '../client/send-request.js';
import { forgetSecrets, holdSecret } from '../keys/key-vault.js';
import { migrationKeys } from '../migrations/queries.js';
import { projectKeys } from '../projects/queries.js';
import { sessionKeys } from './queries.js';

/**
 * Creates an account, an organization and a first project. This browser tab holds the secret of the first API
 * key.
 */
export function useSignup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: SignupRequest) => sendRequest<SignupResponse>('POST', '/api/auth/signup', request),
    onSuccess: (response, request) => {
      setCsrfToken(response.csrf_token);
      queryClient.clear();
      const session: SessionResponse = {
        account: response.account,
        organizations: [response.organization],
        csrf_token: response.csrf_token,
      };
      queryClient.setQueryData(sessionKeys.me, session);
      // If there was an invitation, the account is also a member of another organization, so the session is
      // loaded again.
      if (request.invitation !== undefined) void queryClient.invalidateQueries({ queryKey: sessionKeys.me });
      queryClient.setQueryData(projectKeys.one(response.project.id), {
        ...response.project,
        databases: response.databases,
      });
      for (const migration of response.migrations ?? [])
        queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      const development =
        response.databases.find((database) => database.environment === 'development') ??
        response.databases[0];
      if (development)
        holdSecret(development.id, { secret: response.api_key, name: 'first key', isFirst: true });
    },
  });
}

/** Deletes the account and then forgets all loaded data and keys. */
export function useDeleteAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: DeleteAccountRequest) => sendRequest<undefined>('DELETE', '/api/me', request),
    onSuccess: () => {
      forgetSecrets();
      queryClient.clear();
    },
  });
}

export function useLogout() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendRequest<undefined>('POST', '/api/auth/logout', {}),
    onSettled: () => {
      forgetSecrets();
      queryClient.clear();
    },
  });
}
