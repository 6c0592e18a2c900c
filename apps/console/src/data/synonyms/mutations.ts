import type { CreateSynonymRequest, SynonymResponse } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { synonymKeys } from './queries.js';

export const useCreateSynonym = (projectId: string) =>
  useChange(
    (request: CreateSynonymRequest) =>
      sendRequest<SynonymResponse>('POST', `/api/projects/${projectId}/synonyms`, request),
    synonymKeys.of(projectId),
  );

export const useDeleteSynonym = (projectId: string) =>
  useChange(
    (synonymId: string) =>
      sendRequest<undefined>('DELETE', `/api/projects/${projectId}/synonyms/${synonymId}`),
    synonymKeys.of(projectId),
  );
