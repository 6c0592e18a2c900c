import type {
  DatabaseResponse,
  DeployedSchemaResponse,
  DiffResponse,
  DriftResponse,
  ListResponse,
  RevisionItem,
  SchemaPreviewResponse,
  SchemaPreviewRequest,
  TableStructureResponse,
  TransferFileResponse,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../client/api-error.js';
import { withCursor } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { readTables, type TableView } from './read-tables.js';

export const schemaKeys = {
  all: (projectId: string) => ['schema', projectId] as const,
  working: (projectId: string) => ['schema', projectId, 'working'] as const,
  diff: (projectId: string, databaseId: string) => ['schema', projectId, 'diff', databaseId] as const,
  structure: (projectId: string, table: string) => ['schema', projectId, 'structure', table] as const,
  revisions: (projectId: string) => ['schema', projectId, 'revisions'] as const,
  drift: (projectId: string) => ['schema', projectId, 'drift'] as const,
  preview: (projectId: string, request: unknown) => ['schema', projectId, 'preview', request] as const,
  file: (projectId: string, fileId: string) => ['schema-file', projectId, fileId] as const,
  /** The query key contains the number of the snapshot, because a snapshot never changes. */
  deployed: (databaseId: string, snapshot: number) => ['deployed-schema', databaseId, snapshot] as const,
};

const ASKED_AGAIN_MS = 5_000;

/** The draft of a project: text, revision, and validated tables. */
export interface WorkingSchema {
  readonly revision: number;
  readonly sql: string;
  /** The text of the draft as a complete SQL file. */
  readonly file: string;
  readonly notes: readonly string[];
  readonly tables: readonly TableView[];
  readonly updatedAt: string | null;
  /** The revision that an undo restores. Null if there is nothing to undo. */
  readonly undoRevision: number | null;
  readonly redoRevision: number | null;
}

/** The schema that is deployed to a database. */
export interface DeployedSchema {
  readonly snapshot: number;
  readonly sql: string;
  readonly tables: readonly TableView[];
}

export const workingSchemaQuery = (projectId: string) =>
  queryOptions({
    queryKey: schemaKeys.working(projectId),
    queryFn: async () =>
      toWorkingSchema(await sendRequest<WorkingSchemaResponse>('GET', `/api/projects/${projectId}/schema`)),
  });

/** The deployed schema of a database, not the draft. */
export const deployedSchemaQuery = (database: DatabaseResponse) =>
  queryOptions({
    queryKey: schemaKeys.deployed(database.id, database.snapshot_number),
    queryFn: async (): Promise<DeployedSchema> => {
      const response = await sendRequest<DeployedSchemaResponse>(
        'GET',
        `/api/databases/${database.id}/schema`,
      );
      return { snapshot: response.snapshot_number, sql: response.sql, tables: readTables(response.tables) };
    },
    enabled: database.state === 'ready',
    placeholderData: keepPreviousData,
  });

/** The plan for deploying the draft to one database. */
export const diffQuery = (projectId: string, database: Pick<DatabaseResponse, 'id' | 'state'>) =>
  queryOptions({
    queryKey: schemaKeys.diff(projectId, database.id),
    queryFn: () =>
      sendRequest<DiffResponse>(
        'GET',
        `/api/projects/${projectId}/diff?database=${encodeURIComponent(database.id)}`,
      ),
    staleTime: 30_000,
    enabled: database.state === 'ready',
    // A status of 500 or higher means that the server had no time to create the plan, so the request is
    // repeated.
    refetchInterval: ({ state: { error } }) =>
      error instanceof ApiError && error.status >= 500 ? ASKED_AGAIN_MS : false,
  });

/** One table of the draft with everything that can be edited. */
export const tableStructureQuery = (projectId: string, table: string) =>
  queryOptions({
    queryKey: schemaKeys.structure(projectId, table),
    queryFn: () =>
      sendRequest<TableStructureResponse>(
        'GET',
        `/api/projects/${projectId}/schema/tables/${encodeURIComponent(table)}`,
      ),
  });

export const revisionsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: schemaKeys.revisions(projectId),
    queryFn: ({ pageParam }) =>
      sendRequest<ListResponse<RevisionItem>>(
        'GET',
        withCursor(`/api/projects/${projectId}/schema/revisions`, pageParam),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const driftQuery = (projectId: string) =>
  queryOptions({
    queryKey: schemaKeys.drift(projectId),
    queryFn: () => sendRequest<DriftResponse>('GET', `/api/projects/${projectId}/drift`),
  });

/**
 * The preview of a change, which leaves the draft unchanged. The previous preview stays visible while the
 * next one loads.
 */
export const previewQuery = (projectId: string, request: SchemaPreviewRequest | null) =>
  queryOptions({
    queryKey: schemaKeys.preview(projectId, request),
    queryFn: () =>
      sendRequest<SchemaPreviewResponse>('POST', `/api/projects/${projectId}/schema/preview`, request),
    enabled: request !== null,
    retry: false,
    staleTime: 30_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

const FILE_POLL_MS = 1_000;

/** An imported file. The query is polled until the server has read the file. */
export const transferFileQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: schemaKeys.file(projectId, fileId),
    queryFn: () => sendRequest<TransferFileResponse>('GET', `/api/projects/${projectId}/files/${fileId}`),
    refetchInterval: (query) => (query.state.data?.state === 'writing' ? FILE_POLL_MS : false),
  });

function writeFile({ sql, file_frame: frame }: WorkingSchemaResponse): string {
  return sql === '' ? '' : `${frame.head}\n${sql}\n${frame.tail}`;
}

export function toWorkingSchema(response: WorkingSchemaResponse): WorkingSchema {
  return {
    revision: response.revision,
    sql: response.sql,
    file: writeFile(response),
    notes: response.notes ?? [],
    tables: readTables(response.tables),
    updatedAt: response.updated_at,
    undoRevision: response.undo_revision,
    redoRevision: response.redo_revision,
  };
}
