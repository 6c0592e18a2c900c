import type {
  AcceptedQuestionResponse,
  CreateSavedQueryRequest,
  JudgeQuestionRequest,
  QuestionResponse,
  SavedQueryResponse,
  UpdateSavedQueryRequest,
} from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { queryKeys } from './queries.js';

export const useSaveQuery = (databaseId: string) =>
  useChange(
    (request: CreateSavedQueryRequest) =>
      sendRequest<SavedQueryResponse>('POST', `/api/databases/${databaseId}/saved-queries`, request),
    queryKeys.saved(databaseId),
  );

export const useUpdateQuery = (databaseId: string) =>
  useChange(
    ({ id, ...request }: UpdateSavedQueryRequest & { id: string }) =>
      sendRequest<SavedQueryResponse>('PATCH', `/api/databases/${databaseId}/saved-queries/${id}`, request),
    queryKeys.saved(databaseId),
  );

export const useDeleteQuery = (databaseId: string) =>
  useChange(
    (id: string) => sendRequest<undefined>('DELETE', `/api/databases/${databaseId}/saved-queries/${id}`),
    queryKeys.saved(databaseId),
  );

/** Rates an answer, optionally with a better statement. */
export const useJudgeQuestion = (databaseId: string) =>
  useChange(
    ({ id, ...request }: JudgeQuestionRequest & { id: string }) =>
      sendRequest<QuestionResponse>('POST', `/api/databases/${databaseId}/questions/${id}/feedback`, request),
    queryKeys.asked(databaseId),
  );

/** Stores a statement as the accepted answer to a question. */
export const useAcceptQuestion = (databaseId: string) =>
  useChange(
    (request: { question: string; sql: string }) =>
      sendRequest<AcceptedQuestionResponse>(
        'POST',
        `/api/databases/${databaseId}/accepted-questions`,
        request,
      ),
    null,
  );
