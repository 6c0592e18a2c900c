import type { DatabaseAnswer, LoadAnswer, RestoreRequest, TransferFileAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { projectKeys } from '../projects/keys.js';
import { backupKeys } from './keys.js';

export function useCreateBackup(database: DatabaseAnswer) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendRequest<TransferFileAnswer>('POST', `/api/databases/${database.id}/export`, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupKeys.of(database.project_id) }),
  });
}

export function useDeleteBackup(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fileId: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}/files/${fileId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupKeys.of(projectId) }),
  });
}

/** A new database of the project out of a copy. */
export function useRestoreBackup(database: DatabaseAnswer) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: RestoreRequest) => sendRequest<{ database: DatabaseAnswer; load: LoadAnswer }>('POST', `/api/databases/${database.id}/restore`, request),
    onSuccess: ({ load }) => {
      queryClient.setQueryData(backupKeys.load(load.database, load.id), load);
      return queryClient.invalidateQueries({ queryKey: projectKeys.one(database.project_id) });
    },
  });
}

export function useCancelLoad() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (load: LoadAnswer) => sendRequest<LoadAnswer>('POST', `/api/databases/${load.database}/loads/${load.id}/cancel`, {}),
    onSuccess: (load) => queryClient.setQueryData(backupKeys.load(load.database, load.id), load),
  });
}
