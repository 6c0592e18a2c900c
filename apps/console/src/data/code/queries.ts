import type { CodeResponse, ListResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest, toSearch } from '../client/send-request.js';

export type CodeLanguage = 'python' | 'typescript';

/** The library versions for Python code, and an earlier schema if it is not the current one. */
export interface CodeInput {
  readonly language: CodeLanguage;
  readonly pydantic?: '1' | '2' | undefined;
  readonly sqlalchemy?: '1.4' | '2.0' | undefined;
  readonly snapshot?: number | undefined;
}

function toCodePath(databaseId: string, { language, ...query }: CodeInput, file = ''): string {
  return `/api/databases/${databaseId}/code/${language}${file}${toSearch(language === 'python' ? query : { snapshot: query.snapshot })}`;
}

/** Returns the URL of the files as an archive. */
export function toArchiveAddress(databaseId: string, input: CodeInput): string {
  return toCodePath(databaseId, input, '/archive');
}

/** `deployed` is the number of the current schema, so a new schema loads new code. */
export const codeQuery = (databaseId: string, deployed: number, input: CodeInput) =>
  queryOptions({
    queryKey: ['code', databaseId, deployed, input] as const,
    queryFn: () => sendRequest<CodeResponse>('GET', toCodePath(databaseId, input)),
    staleTime: Infinity,
  });

interface SnapshotItem {
  readonly number: number;
  readonly is_current: boolean;
  readonly created_at: string;
}

/** The current schema and the previous one. */
export const lastSnapshotsQuery = (databaseId: string, deployed: number) =>
  queryOptions({
    queryKey: ['snapshots', databaseId, deployed] as const,
    queryFn: () =>
      sendRequest<ListResponse<SnapshotItem>>('GET', `/api/databases/${databaseId}/snapshots?limit=2`),
  });
