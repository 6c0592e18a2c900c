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
