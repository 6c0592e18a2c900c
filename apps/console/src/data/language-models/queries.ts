import type { LanguageModelResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';

export const modelKeys = {
  of: (projectId: string) => ['language-model', projectId] as const,
};
export const toModelPath = (projectId: string): string => `/api/projects/${projectId}/language-model`;

/** The language model of a project's questions. */
export const languageModelQuery = (projectId: string) =>
  queryOptions({
    queryKey: modelKeys.of(projectId),
    queryFn: () => sendRequest<LanguageModelResponse>('GET', toModelPath(projectId)),
  });
