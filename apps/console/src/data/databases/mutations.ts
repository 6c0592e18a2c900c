import type { CreateDatabaseRequest, DatabaseResponse, UpdateDatabaseRequest } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from '../projects/queries.js';

/** The pattern of environment names that the control API accepts, for the `pattern` attribute of a field. */
export const ENVIRONMENT_NAME = String.raw`[a-z][a-z0-9\-]{0,30}`;

export const ENVIRONMENT_NAME_RULE =
  'Use lowercase letters, digits and hyphens, starting with a letter (31 characters at most).';

const WHOLE_NAME = new RegExp(`^${ENVIRONMENT_NAME}$`);

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

/** Deletes a database. `environment` is the name that the user typed to confirm the deletion. */
export const useDeleteDatabase = (database: Pick<DatabaseResponse, 'id'>) =>
  useChange(
    (environment: string) =>
      sendRequest<undefined>('DELETE', `/api/databases/${database.id}`, { confirm: environment }),
    projectKeys.all,
  );

export function isEnvironmentName(name: string): boolean {
  return WHOLE_NAME.test(name);
}
