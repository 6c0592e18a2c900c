import type {
  CreatedKeyResponse,
  CreateKeyRequest,
  KeyResponse,
  RotatedKeyResponse,
} from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { forgetSecret, holdSecret } from './key-vault.js';
import { keyKeys } from './queries.js';

export function useCreateKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateKeyRequest) =>
      sendRequest<CreatedKeyResponse>('POST', `/api/databases/${databaseId}/keys`, request),
    onSuccess: (key) => {
      holdSecret(databaseId, { secret: key.secret, name: key.name, keyId: key.id });
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}

export function useRotateKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ key, overlapSeconds }: { key: KeyResponse; overlapSeconds: number }) =>
      sendRequest<RotatedKeyResponse>('POST', `/api/keys/${key.id}/rotate`, {
        overlap_seconds: overlapSeconds,
      }),
    onSuccess: (rotated, { key }) => {
      forgetSecret(databaseId, key);
      holdSecret(databaseId, { secret: rotated.secret, name: rotated.name, keyId: rotated.id });
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}

export function useRevokeKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (key: KeyResponse) => sendRequest<undefined>('DELETE', `/api/keys/${key.id}`),
    onSuccess: (_unused, key) => {
      forgetSecret(databaseId, key);
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}
