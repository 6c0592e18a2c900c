import type { LoadResponse, TransferFileResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const backupKeys = {
  of: (projectId: string) => ['backups', projectId] as const,
  loads: (databaseId: string) => ['backups', 'loads', databaseId] as const,
  load: (databaseId: string, loadId: string) => ['backups', 'load', databaseId, loadId] as const,
};
const WRITING_POLL_MS = 1_000;

/** The stored files of a project, newest first: exports and imported dumps. */
export const backupsQuery = (projectId: string) =>
  queryOptions({
    queryKey: backupKeys.of(projectId),
    queryFn: () => fetchAll<TransferFileResponse>(`/api/projects/${projectId}/files`),
    refetchInterval: (query) =>
      query.state.data?.some((file) => file.state === 'writing') === true ? WRITING_POLL_MS : false,
  });

/** The loads of a database, newest first: imports of rows, and the restore that created the database. */
export const loadsQuery = (databaseId: string) =>
  queryOptions({
    queryKey: backupKeys.loads(databaseId),
    queryFn: () => fetchAll<LoadResponse>(`/api/databases/${databaseId}/loads`),
    refetchInterval: (query) => (query.state.data?.every(hasEnded) === false ? WRITING_POLL_MS : false),
  });

/** The progress of a restore. */
export const loadQuery = (databaseId: string, loadId: string) =>
  queryOptions({
    queryKey: backupKeys.load(databaseId, loadId),
    queryFn: () => sendRequest<LoadResponse>('GET', `/api/databases/${databaseId}/loads/${loadId}`),
    refetchInterval: (query) =>
      query.state.data === undefined || hasEnded(query.state.data) ? false : WRITING_POLL_MS,
  });

export function hasEnded(load: LoadResponse): boolean {
  return load.state === 'done' || load.state === 'failed' || load.state === 'cancelled';
}

/** Returns the URL that downloads a file as one gzip file of SQL text. */
export function downloadPath(projectId: string, fileId: string): string {
  return `/api/projects/${projectId}/files/${fileId}/download`;
}
