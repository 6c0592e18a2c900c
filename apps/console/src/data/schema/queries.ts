import type { DatabaseAnswer, DeployedSchemaAnswer, DiffAnswer, DriftAnswer, ListAnswer, RevisionItem, SchemaPreviewAnswer, SchemaPreviewRequest, TableStructureAnswer, TransferFileAnswer, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../client/api-error.js';
import { withCursor } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { schemaKeys } from './keys.js';
import { readTables, type TableView } from './read-tables.js';

const ASKED_AGAIN_MS = 5_000;

/** The draft of a project: text, revision, and its tables in a shape that was checked. */
export interface WorkingSchema {
  readonly revision: number;
  readonly sql: string;
  /** The text as a file of its own. */
  readonly file: string;
  readonly notes: readonly string[];
  readonly tables: readonly TableView[];
  readonly updatedAt: string | null;
  /** What to restore to take the last change back, or to make it again; null: there is none. */
  readonly undoRevision: number | null;
  readonly redoRevision: number | null;
}

/** What a database runs. */
export interface DeployedSchema {
  readonly snapshot: number;
  readonly sql: string;
  readonly tables: readonly TableView[];
}

export const workingSchemaQuery = (projectId: string) =>
  queryOptions({
    queryKey: schemaKeys.working(projectId),
    queryFn: async () => toWorkingSchema(await sendRequest<WorkingSchemaAnswer>('GET', `/api/projects/${projectId}/schema`)),
  });

/** The live schema of one database: never the draft. */
export const deployedSchemaQuery = (database: DatabaseAnswer) =>
  queryOptions({
    queryKey: schemaKeys.deployed(database.id, database.snapshot_number),
    queryFn: async (): Promise<DeployedSchema> => {
      const answer = await sendRequest<DeployedSchemaAnswer>('GET', `/api/databases/${database.id}/schema`);
      return { snapshot: answer.snapshot_number, sql: answer.sql, tables: readTables(answer.tables) };
    },
    enabled: database.state === 'ready',
    placeholderData: keepPreviousData,
  });

/** What deploying the draft to one database would do. */
export const diffQuery = (projectId: string, database: Pick<DatabaseAnswer, 'id' | 'state'>) =>
  queryOptions({
    queryKey: schemaKeys.diff(projectId, database.id),
    queryFn: () => sendRequest<DiffAnswer>('GET', `/api/projects/${projectId}/diff?database=${encodeURIComponent(database.id)}`),
    staleTime: 30_000,
    enabled: database.state === 'ready',
    // The server had no time to plan: asked again until it has.
    refetchInterval: ({ state: { error } }) => (error instanceof ApiError && error.status >= 500 ? ASKED_AGAIN_MS : false),
  });

/** One table of the draft with all that can be edited. */
export const tableStructureQuery = (projectId: string, table: string) =>
  queryOptions({
    queryKey: schemaKeys.structure(projectId, table),
    queryFn: () => sendRequest<TableStructureAnswer>('GET', `/api/projects/${projectId}/schema/tables/${encodeURIComponent(table)}`),
  });

export const revisionsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: schemaKeys.revisions(projectId),
    queryFn: ({ pageParam }) => sendRequest<ListAnswer<RevisionItem>>('GET', withCursor(`/api/projects/${projectId}/schema/revisions`, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const driftQuery = (projectId: string) => queryOptions({ queryKey: schemaKeys.drift(projectId), queryFn: () => sendRequest<DriftAnswer>('GET', `/api/projects/${projectId}/drift`) });

/** What a change would come to. Nothing is changed by asking; the answer before stays in view while the next is made. */
export const previewQuery = (projectId: string, request: SchemaPreviewRequest | null) =>
  queryOptions({
    queryKey: schemaKeys.preview(projectId, request),
    queryFn: () => sendRequest<SchemaPreviewAnswer>('POST', `/api/projects/${projectId}/schema/preview`, request),
    enabled: request !== null,
    retry: false,
    staleTime: 30_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

const FILE_POLL_MS = 1_000;

/** An import, until it has been read to its end. */
export const transferFileQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: schemaKeys.file(projectId, fileId),
    queryFn: () => sendRequest<TransferFileAnswer>('GET', `/api/projects/${projectId}/files/${fileId}`),
    refetchInterval: (query) => (query.state.data?.state === 'writing' ? FILE_POLL_MS : false),
  });

function writeFile({ sql, file_frame: frame }: WorkingSchemaAnswer): string {
  return sql === '' ? '' : `${frame.head}\n${sql}\n${frame.tail}`;
}

export function toWorkingSchema(answer: WorkingSchemaAnswer): WorkingSchema {
  return {
    revision: answer.revision,
    sql: answer.sql,
    file: writeFile(answer),
    notes: answer.notes ?? [],
    tables: readTables(answer.tables),
    updatedAt: answer.updated_at,
    undoRevision: answer.undo_revision,
    redoRevision: answer.redo_revision,
  };
}
