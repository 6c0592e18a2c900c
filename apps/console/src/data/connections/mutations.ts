import type { ConnectionTestAnswer, CreateConnectionRequest, CreatedConnectionAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { connectionKeys } from './keys.js';

export function useCreateConnection(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateConnectionRequest) =>
      sendRequest<CreatedConnectionAnswer>('POST', `/api/databases/${databaseId}/connections`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectionKeys.of(databaseId) }),
  });
}

/** Has the platform sign in with this password, as a program would. */
export function testConnection(connectionId: string, password: string): Promise<ConnectionTestAnswer> {
  return sendRequest('POST', `/api/connections/${connectionId}/test`, { password });
}

export function useRotateConnection(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, overlapSeconds }: { id: string; overlapSeconds: number }) => sendRequest<CreatedConnectionAnswer>('POST', `/api/connections/${id}/rotate`, { overlap_seconds: overlapSeconds }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectionKeys.of(databaseId) }),
  });
}

export function useRevokeConnection(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (connectionId: string) => sendRequest<undefined>('DELETE', `/api/connections/${connectionId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectionKeys.of(databaseId) }),
  });
}
