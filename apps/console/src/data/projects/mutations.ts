import type { CreateProjectRequest, ProjectAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { projectKeys } from './keys.js';

export function useCreateProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateProjectRequest) => sendRequest<ProjectAnswer>('POST', '/api/projects', request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true }),
  });
}

export function useRenameProject(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => sendRequest<ProjectAnswer>('PATCH', `/api/projects/${projectId}`, { name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  });
}

/** Other people may use it from then on, and the caller's role may be another. */
export function useMoveProject(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (organizationId: string) => sendRequest<ProjectAnswer>('POST', `/api/projects/${projectId}/move`, { organization_id: organizationId }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

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
