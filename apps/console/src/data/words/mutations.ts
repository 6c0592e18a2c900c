import type { CreateSynonymRequest, SynonymAnswer } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { wordKeys } from './keys.js';

export function useCreateSynonym(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateSynonymRequest) => sendRequest<SynonymAnswer>('POST', `/api/projects/${projectId}/synonyms`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: wordKeys.of(projectId) }),
  });
}

export function useDeleteSynonym(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (synonymId: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}/synonyms/${synonymId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: wordKeys.of(projectId) }),
  });
}
