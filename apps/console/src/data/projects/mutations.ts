import type { CreateProjectRequest, ProjectAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from './keys.js';

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateProjectRequest) => sendRequest<ProjectAnswer>('POST', '/api/projects', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

export const useRenameProject = (projectId: string) =>
  useChange((name: string) => sendRequest<ProjectAnswer>('PATCH', `/api/projects/${projectId}`, { name }), projectKeys.all);

/** Other people may use it from then on, and the caller's role may be another. */
export const useMoveProject = (projectId: string) =>
  useChange((organizationId: string) => sendRequest<ProjectAnswer>('POST', `/api/projects/${projectId}/move`, { organization_id: organizationId }), []);

/** `confirm` is the project's name, typed. */
export function useDeleteProject(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}`, { confirm }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

/** Brings a deleted project back, within seven days. */
export function useRestoreProject() {
  const queryClient = useQueryClient();
  return async (projectId: string): Promise<void> => {
    await sendRequest<ProjectAnswer>('POST', `/api/projects/${projectId}/restore`, {});
    await queryClient.invalidateQueries({ queryKey: projectKeys.all });
  };
}
