import type { CloneRequest, ProjectAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { projectKeys } from '../projects/keys.js';

/** A project of one's own out of a share link. */
export function useCloneShare(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CloneRequest) => sendRequest<ProjectAnswer>('POST', `/api/clone/${encodeURIComponent(token)}`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
  });
}
