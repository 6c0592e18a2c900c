import type {
  ConnectionTestResponse,
  CreateConnectionRequest,
  CreatedConnectionResponse,
} from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { connectionKeys } from './queries.js';

export const useCreateConnection = (databaseId: string) =>
  useChange(
    (request: CreateConnectionRequest) =>
      sendRequest<CreatedConnectionResponse>('POST', `/api/databases/${databaseId}/connections`, request),
    connectionKeys.of(databaseId),
  );

/** Tests a direct connection: the platform signs in to the database with this password. */
export function testConnection(connectionId: string, password: string): Promise<ConnectionTestResponse> {
  return sendRequest('POST', `/api/connections/${connectionId}/test`, { password });
}

export const useRotateConnection = (databaseId: string) =>
  useChange(
    ({ id, overlapSeconds }: { id: string; overlapSeconds: number }) =>
      sendRequest<CreatedConnectionResponse>('POST', `/api/connections/${id}/rotate`, {
        overlap_seconds: overlapSeconds,
      }),
    connectionKeys.of(databaseId),
  );

export const useRevokeConnection = (databaseId: string) =>
  useChange(
    (connectionId: string) => sendRequest<undefined>('DELETE', `/api/connections/${connectionId}`),
    connectionKeys.of(databaseId),
  );
