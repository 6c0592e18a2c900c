import type { LanguageModelResponse, PutLanguageModelRequest } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { toModelPath, modelKeys } from './queries.js';

export const usePutLanguageModel = (projectId: string) =>
  useChange(
    (request: PutLanguageModelRequest) =>
      sendRequest<LanguageModelResponse>('PUT', toModelPath(projectId), request),
    modelKeys.of(projectId),
  );

export const useForgetLanguageModel = (projectId: string) =>
  useChange(
    (_input: undefined) => sendRequest<undefined>('DELETE', toModelPath(projectId)),
    modelKeys.of(projectId),
  );
