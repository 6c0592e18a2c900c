import type { SharePreviewAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';

/** What is behind a share link. */
export const sharePreviewQuery = (token: string) =>
  queryOptions({ queryKey: ['share-preview', token] as const, queryFn: () => sendRequest<SharePreviewAnswer>('GET', `/api/clone/${encodeURIComponent(token)}`), retry: false });
