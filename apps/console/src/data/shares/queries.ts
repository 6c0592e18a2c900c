import type { ShareResponse, SharePreviewResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const shareKeys = {
  of: (projectId: string) => ['shares', projectId] as const,
  preview: (token: string) => ['share-preview', token] as const,
};
/** The content of a share link. */
export const sharePreviewQuery = (token: string) =>
  queryOptions({
    queryKey: shareKeys.preview(token),
    queryFn: () => sendRequest<SharePreviewResponse>('GET', `/api/clone/${encodeURIComponent(token)}`),
    retry: false,
  });

const WRITING_POLL_MS = 1_000;

/**
 * Loads the share links of a project. They are loaded repeatedly while a link that includes rows is being
 * created.
 */
export const sharesQuery = (projectId: string) =>
  queryOptions({
    queryKey: shareKeys.of(projectId),
    queryFn: () => fetchAll<ShareResponse>(`/api/projects/${projectId}/shares`),
    refetchInterval: (query) =>
      query.state.data?.some((share) => share.state === 'writing') === true ? WRITING_POLL_MS : false,
  });
