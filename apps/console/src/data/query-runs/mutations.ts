import type { AcceptedQuestionAnswer, CreateSavedQueryRequest, JudgeQuestionRequest, QuestionAnswer, SavedQueryAnswer, UpdateSavedQueryRequest } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { queryKeys } from './keys.js';

function useSavedMutation<Wish, Answer>(databaseId: string, run: (wish: Wish) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.saved(databaseId) }) });
}

export function useSaveQuery(databaseId: string) {
  return useSavedMutation(databaseId, (request: CreateSavedQueryRequest) => sendRequest<SavedQueryAnswer>('POST', `/api/databases/${databaseId}/saved-queries`, request));
}

export function useUpdateQuery(databaseId: string) {
  return useSavedMutation(databaseId, ({ id, ...request }: UpdateSavedQueryRequest & { id: string }) => sendRequest<SavedQueryAnswer>('PATCH', `/api/databases/${databaseId}/saved-queries/${id}`, request));
}

export function useDeleteQuery(databaseId: string) {
  return useSavedMutation(databaseId, (id: string) => sendRequest<undefined>('DELETE', `/api/databases/${databaseId}/saved-queries/${id}`));
}

/** Says whether an answer was right; a better statement may go along. */
export function useJudgeQuestion(databaseId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...request }: JudgeQuestionRequest & { id: string }) => sendRequest<QuestionAnswer>('POST', `/api/databases/${databaseId}/questions/${id}/feedback`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.asked(databaseId) }),
  });
}

/** Keeps a statement as the right one for a question. */
export function useAcceptQuestion(databaseId: string) {
  return useMutation({ mutationFn: (request: { question: string; sql: string }) => sendRequest<AcceptedQuestionAnswer>('POST', `/api/databases/${databaseId}/accepted-questions`, request) });
}
