import type { CloneRequest, CreatedShareResponse, ProjectResponse, ShareRequest } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from '../projects/queries.js';
import { shareKeys } from './queries.js';

/** Creates a project from a share link. */
export const useCloneShare = (token: string) =>
  useChange(
    (request: CloneRequest) =>
      sendRequest<ProjectResponse>('POST', `/api/clone/${encodeURIComponent(token)}`, request),
    projectKeys.all,
  );

/** Creates a share link. The URL is only part of this response and cannot be read later. */
export const useCreateShare = (projectId: string) =>
  useChange(
    (request: ShareRequest) =>
      sendRequest<CreatedShareResponse>('POST', `/api/projects/${projectId}/share`, request),
    shareKeys.of(projectId),
  );

export const useRevokeShare = (projectId: string) =>
  useChange(
    (shareId: string) => sendRequest<undefined>('DELETE', `/api/projects/${projectId}/shares/${shareId}`),
    shareKeys.of(projectId),
  );
