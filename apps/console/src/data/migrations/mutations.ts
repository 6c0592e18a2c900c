import type { ConfirmRequest, MigrationResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { migrationKeys } from './queries.js';

/** Cancels a migration. A waiting migration ends at once, and a running migration at its next safe point. */
export const useCancelMigration = (migrationId: string) =>
  useMigrationChange((_unused: undefined) =>
    sendRequest<MigrationResponse>('POST', `/api/migrations/${migrationId}/cancel`),
  );

/** Retries a failed or cancelled migration with a new plan. The response may be another migration. */
export const useRetryMigration = (migrationId: string) =>
  useMigrationChange((request: ConfirmRequest) =>
    sendRequest<MigrationResponse>('POST', `/api/migrations/${migrationId}/retry`, request),
  );

/** Reverts a migration by starting a new migration. */
export const useRevertMigration = (migrationId: string) =>
  useMigrationChange((request: ConfirmRequest) =>
    sendRequest<MigrationResponse>('POST', `/api/migrations/${migrationId}/revert`, request),
  );

/** Returns a mutation that stores the migration of its response in the query cache. */
function useMigrationChange<Input>(send: (input: Input) => Promise<MigrationResponse>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (migration) => {
      queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      return queryClient.invalidateQueries({ queryKey: migrationKeys.all });
    },
  });
}

/** Permanently deletes the data that a migration dropped and that the server still retains. */
export const usePurgeSoftDeleted = (databaseId: string) =>
  useChange(
    (migrationId: string) => sendRequest<undefined>('POST', `/api/migrations/${migrationId}/purge`),
    migrationKeys.softDeleted(databaseId),
  );
