import type { DeployAnswer, DeployRequest, PutSchemaRequest, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { migrationKeys } from '../migrations/keys.js';
import { schemaKeys } from './keys.js';
import { toWorkingSchema } from './queries.js';

/** Writes the draft: `apply` runs statements on top of it, `replace` takes the text as the whole schema. */
export function useSaveSchema(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (request: PutSchemaRequest) =>
      toWorkingSchema(await sendRequest<WorkingSchemaAnswer>('PUT', `/api/projects/${projectId}/schema`, request)),
    onSuccess: (schema) => {
      queryClient.setQueryData(schemaKeys.working(projectId), schema);
      return queryClient.invalidateQueries({ queryKey: [...schemaKeys.all(projectId), 'diff'] });
    },
  });
}

export function useDeploy(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: DeployRequest) => sendRequest<DeployAnswer>('POST', `/api/projects/${projectId}/deploy`, request),
    onSuccess: (answer) => {
      for (const migration of answer.migrations) {
        if (migration.plan !== undefined) queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      }
      return queryClient.invalidateQueries({ queryKey: migrationKeys.of(projectId) });
    },
  });
}
