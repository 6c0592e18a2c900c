import type { CreateProjectRequest, ProjectResponse } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from './queries.js';

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateProjectRequest) =>
      sendRequest<ProjectResponse>('POST', '/api/projects', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

export const useRenameProject = (projectId: string) =>
  useChange(
    (name: string) => sendRequest<ProjectResponse>('PATCH', `/api/projects/${projectId}`, { name }),
    projectKeys.all,
  );

/** Moves the project. Other people may use it afterwards, and the caller's role may change. */
export const useMoveProject = (projectId: string) =>
  useChange(
    (organizationId: string) =>
      sendRequest<ProjectResponse>('POST', `/api/projects/${projectId}/move`, {
        organization_id: organizationId,
      }),
    [],
  );

/** `confirm` is the typed name of the project. */
export function useDeleteProject(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string) =>
      sendRequest<undefined>('DELETE', `/api/projects/${projectId}`, { confirm }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

/** Restores a deleted project within seven days. */
export function useRestoreProject() {
  const queryClient = useQueryClient();
  return async (projectId: string): Promise<void> => {
    await sendRequest<ProjectResponse>('POST', `/api/projects/${projectId}/restore`, {});
    await queryClient.invalidateQueries({ queryKey: projectKeys.all });
  };
}
