import type { CloneRequest, CreatedShareAnswer, ProjectAnswer, ShareRequest } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { projectKeys } from '../projects/keys.js';
import { shareKeys } from './keys.js';

/** A project of one's own out of a share link. */
export function useCloneShare(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CloneRequest) => sendRequest<ProjectAnswer>('POST', `/api/clone/${encodeURIComponent(token)}`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  });
}

/** The link is told in the answer alone. */
export function useCreateShare(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ShareRequest) => sendRequest<CreatedShareAnswer>('POST', `/api/projects/${projectId}/share`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: shareKeys.of(projectId) }),
  });
}

export function useRevokeShare(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (shareId: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}/shares/${shareId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: shareKeys.of(projectId) }),
  });
}
