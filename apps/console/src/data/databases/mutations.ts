import type { DatabaseAnswer, UpdateDatabaseRequest } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { projectKeys } from '../projects/keys.js';

export function useUpdateDatabase(database: DatabaseAnswer) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: UpdateDatabaseRequest) => sendRequest<DatabaseAnswer>('PATCH', `/api/databases/${database.id}`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.one(database.project_id) }),
  });
}

/** One more environment of a project. */
export function useCreateDatabase(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (environment: string) => sendRequest<DatabaseAnswer>('POST', `/api/projects/${projectId}/databases`, { environment }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  });
}

/** `environment`, typed, says that this one is meant. */
export function useDeleteDatabase(database: Pick<DatabaseAnswer, 'id'>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (environment: string) => sendRequest<undefined>('DELETE', `/api/databases/${database.id}`, { confirm: environment }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  });
}
