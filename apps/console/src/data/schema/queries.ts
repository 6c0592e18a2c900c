import type { DiffAnswer, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { schemaKeys } from './keys.js';
import { readTables, type TableView } from './read-tables.js';

/** The draft of a project: text, revision, and its tables in a shape that was checked. */
export interface WorkingSchema {
  readonly revision: number;
  readonly sql: string;
  readonly notes: readonly string[];
  readonly tables: readonly TableView[];
  readonly updatedAt: string | null;
}

export const workingSchemaQuery = (projectId: string) =>
  queryOptions({
    queryKey: schemaKeys.working(projectId),
    queryFn: async () => toWorkingSchema(await sendRequest<WorkingSchemaAnswer>('GET', `/api/projects/${projectId}/schema`)),
  });

/** What deploying the draft to one database would do. */
export const diffQuery = (projectId: string, databaseId: string) =>
  queryOptions({
    queryKey: schemaKeys.diff(projectId, databaseId),
    queryFn: () => sendRequest<DiffAnswer>('GET', `/api/projects/${projectId}/diff?database=${encodeURIComponent(databaseId)}`),
    staleTime: 30_000,
  });

export function toWorkingSchema(answer: WorkingSchemaAnswer): WorkingSchema {
  return {
    revision: answer.revision,
    sql: answer.sql,
    notes: answer.notes ?? [],
    tables: readTables(answer.tables),
    updatedAt: answer.updated_at,
  };
}
