import type { CodeResponse, ListResponse } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest, toSearch } from '../client/send-request.js';

export type CodeLanguage = 'python' | 'typescript';

/**
 * The input of the code generator: the language, the library versions of Python code, and optionally the
 * number of an earlier schema.
 */
export interface CodeInput {
  readonly language: CodeLanguage;
  readonly pydantic?: '1' | '2' | undefined;
  readonly sqlalchemy?: '1.4' | '2.0' | undefined;
  readonly snapshot?: number | undefined;
}

function toCodePath(databaseId: string, { language, ...query }: CodeInput, file = ''): string {
  return `/api/databases/${databaseId}/code/${language}${file}${toSearch(language === 'python' ? query : { snapshot: query.snapshot })}`;
}

/** Returns the URL that downloads the generated files as an archive. */
export function toArchiveAddress(databaseId: string, input: CodeInput): string {
  return toCodePath(databaseId, input, '/archive');
}

/**
 * Loads the generated code. `deployed` is the number of the current schema version. It is part of the query
 * key, so the code is loaded again after a deploy.
 */
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
