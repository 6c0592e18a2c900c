import type {
  DatabaseResponse,
  LoadResponse,
  RestoreRequest,
  TransferFileResponse,
} from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from '../projects/queries.js';
import { backupKeys } from './queries.js';

export const useCreateBackup = (database: DatabaseResponse) =>
  useChange(
    (_unused: undefined) =>
      sendRequest<TransferFileResponse>('POST', `/api/databases/${database.id}/export`, {}),
    backupKeys.of(database.project_id),
  );

export const useDeleteBackup = (projectId: string) =>
  useChange(
    (fileId: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}/files/${fileId}`),
    backupKeys.of(projectId),
  );

/** Creates a database of the project from a backup. */
export function useRestoreBackup(database: DatabaseResponse) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: RestoreRequest) =>
      sendRequest<{ database: DatabaseResponse; load: LoadResponse }>(
        'POST',
        `/api/databases/${database.id}/restore`,
        request,
      ),
    onSuccess: ({ load }) => {
      queryClient.setQueryData(backupKeys.load(load.database, load.id), load);
      return queryClient.invalidateQueries({ queryKey: projectKeys.one(database.project_id) });
    },
  });
}

export function useCancelLoad() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (load: LoadResponse) =>
      sendRequest<LoadResponse>('POST', `/api/databases/${load.database}/loads/${load.id}/cancel`, {}),
    onSuccess: (load) => queryClient.setQueryData(backupKeys.load(load.database, load.id), load),
  });
}
