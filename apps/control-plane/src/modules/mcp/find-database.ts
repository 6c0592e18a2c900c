import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { ControlApi } from './control-api-caller.js';

export async function getProject(api: ControlApi, projectId: string): Promise<ProjectResponse> {
  return (await api.call('GET', projectPath(projectId))) as ProjectResponse;
}

/** Returns the database of an environment, which is given by name or id. */
export async function findDatabase(
  api: ControlApi,
  projectId: string,
  environment: string,
): Promise<DatabaseResponse> {
  const { databases } = await getProject(api, projectId);
  const found = databases.find(
    (database) => database.environment === environment || database.id === environment,
  );
  if (found !== undefined) return found;
  throw new AppError('resource.not_found', {
    detail: `The project does not have the environment ${environment}.`,
    hint: `It has ${databases.map((database) => database.environment).join(', ')}.`,
  });
}

export function projectPath(projectId: string): string {
  return `/api/projects/${encodeURIComponent(projectId)}`;
}
