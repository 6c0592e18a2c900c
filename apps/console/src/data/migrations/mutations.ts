import type { ConfirmRequest, MigrationAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { migrationKeys } from './keys.js';

/** Asks for the end of a migration: a waiting one ends at once, a running one at its next safe point. */
export function useCancelMigration(migrationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/cancel`),
    onSuccess: (migration) => {
      queryClient.setQueryData(migrationKeys.one(migrationId), migration);
      return queryClient.invalidateQueries({ queryKey: ['migrations'] });
    },
  });
}

/** Runs a failed or cancelled one again, planned anew; the answer is perhaps another migration. */
export function useRetryMigration(migrationId: string) {
  return useMigrationRoad((request: ConfirmRequest) => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/retry`, request));
}

/** Undoes one by a migration of its own. */
export function useRevertMigration(migrationId: string) {
  return useMigrationRoad((request: ConfirmRequest) => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/revert`, request));
}

function useMigrationRoad(send: (request: ConfirmRequest) => Promise<MigrationAnswer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (migration) => {
      queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      return queryClient.invalidateQueries({ queryKey: ['migrations'] });
    },
  });
}

/** What a migration dropped and still keeps goes for good. */
export function usePurgeKept(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (migrationId: string) => sendRequest<undefined>('POST', `/api/migrations/${migrationId}/purge`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: migrationKeys.kept(databaseId) }),
  });
}
