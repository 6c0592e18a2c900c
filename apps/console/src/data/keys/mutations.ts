import type { CreatedKeyAnswer, CreateKeyRequest, KeyAnswer, RotatedKeyAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { forgetSecret, keepSecret } from './key-vault.js';
import { keyKeys } from './keys.js';

export function useCreateKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateKeyRequest) => sendRequest<CreatedKeyAnswer>('POST', `/api/databases/${databaseId}/keys`, request),
    onSuccess: (key) => {
      keepSecret(databaseId, { secret: key.secret, name: key.name });
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}

export function useRotateKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ key, overlapSeconds }: { key: KeyAnswer; overlapSeconds: number }) => sendRequest<RotatedKeyAnswer>('POST', `/api/keys/${key.id}/rotate`, { overlap_seconds: overlapSeconds }),
    onSuccess: (rotated, { key }) => {
      forgetSecret(databaseId, key.last4);
      keepSecret(databaseId, { secret: rotated.secret, name: rotated.name });
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}

export function useRevokeKey(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (key: KeyAnswer) => sendRequest<undefined>('DELETE', `/api/keys/${key.id}`),
    onSuccess: (_nothing, key) => {
      forgetSecret(databaseId, key.last4);
      return queryClient.invalidateQueries({ queryKey: keyKeys.of(databaseId) });
    },
  });
}
