import type { CreateProjectRequest, MigrationResponse, ProjectResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from './queries.js';

/** `migrations` are those that still deploy the starter when the response arrives. */
export type CreatedProject = ProjectResponse & { migrations?: MigrationResponse[] };

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateProjectRequest) =>
      sendRequest<CreatedProject>('POST', '/api/projects', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

export const useRenameProject = (projectId: string) =>
  useChange(
    (name: string) => sendRequest<ProjectResponse>('PATCH', `/api/projects/${projectId}`, { name }),
    projectKeys.all,
  );

/**
 * Moves a project to another organization. The members of that organization then have access, and the
 * caller's role may be different there.
 */
export const useMoveProject = (projectId: string) =>
  useChange(
    (organizationId: string) =>
      sendRequest<ProjectResponse>('POST', `/api/projects/${projectId}/move`, {
        organization_id: organizationId,
      }),
    [],
  );

/** Deletes a project. `confirm` is the project name that the user typed to confirm. */
export function useDeleteProject(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string) =>
      sendRequest<undefined>('DELETE', `/api/projects/${projectId}`, { confirm }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

/** Restores a deleted project. This is possible for seven days after the deletion. */
export function useRestoreProject() {
  const queryClient = useQueryClient();
  return async (projectId: string): Promise<void> => {
    await sendRequest<ProjectResponse>('POST', `/api/projects/${projectId}/restore`, {});
    await queryClient.invalidateQueries({ queryKey: projectKeys.all });
  };
}
