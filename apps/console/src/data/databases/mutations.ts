import type { CreateDatabaseRequest, DatabaseResponse, UpdateDatabaseRequest } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from '../projects/keys.js';

export const useUpdateDatabase = (database: DatabaseResponse) =>
  useChange(
    (request: UpdateDatabaseRequest) =>
      sendRequest<DatabaseResponse>('PATCH', `/api/databases/${database.id}`, request),
    projectKeys.one(database.project_id),
  );

/** Adds an environment to a project. */
export const useCreateDatabase = (projectId: string) =>
  useChange(
    (request: CreateDatabaseRequest) =>
      sendRequest<DatabaseResponse>('POST', `/api/projects/${projectId}/databases`, request),
    projectKeys.all,
  );

/** `environment` is the typed confirmation. */
export const useDeleteDatabase = (database: Pick<DatabaseResponse, 'id'>) =>
  useChange(
    (environment: string) =>
      sendRequest<undefined>('DELETE', `/api/databases/${database.id}`, { confirm: environment }),
    projectKeys.all,
  );
