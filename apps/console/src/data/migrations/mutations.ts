import type { ConfirmRequest, MigrationAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { migrationKeys } from './keys.js';

/** Asks for the end of a migration: a waiting one ends at once, a running one at its next safe point. */
export const useCancelMigration = (migrationId: string) =>
  useMigrationChange((_nothing: undefined) => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/cancel`));

/** Runs a failed or cancelled one again, planned anew; the answer is perhaps another migration. */
export const useRetryMigration = (migrationId: string) =>
  useMigrationChange((request: ConfirmRequest) => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/retry`, request));

/** Undoes one by a migration of its own. */
export const useRevertMigration = (migrationId: string) =>
  useMigrationChange((request: ConfirmRequest) => sendRequest<MigrationAnswer>('POST', `/api/migrations/${migrationId}/revert`, request));

/** What answers a migration, which is known from then on. */
function useMigrationChange<Wish>(send: (wish: Wish) => Promise<MigrationAnswer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (migration) => {
      queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      return queryClient.invalidateQueries({ queryKey: migrationKeys.all });
    },
  });
}

/** What a migration dropped and still keeps goes for good. */
export const usePurgeKept = (databaseId: string) =>
  useChange((migrationId: string) => sendRequest<undefined>('POST', `/api/migrations/${migrationId}/purge`), migrationKeys.kept(databaseId));
