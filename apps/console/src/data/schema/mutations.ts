import type {
  DeployResponse,
  DeployRequest,
  PromoteRequest,
  ProposalResponse,
  PutSchemaRequest,
  RestoreSchemaRequest,
  SchemaEditsRequest,
  SchemaStarterRequest,
  TakeDirectRequest,
  TransferFileResponse,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sendBody, sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { migrationKeys } from '../migrations/queries.js';
import { toWorkingSchema, type WorkingSchema, schemaKeys } from './queries.js';

/**
 * Returns a mutation that changes the draft. Its response is the complete draft. Plans, revisions and table
 * structures are then loaded again.
 */
function useDraftWrite<Request>(
  projectId: string,
  send: (request: Request) => Promise<WorkingSchemaResponse>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (request: Request): Promise<WorkingSchema> => toWorkingSchema(await send(request)),
    onSuccess: (schema) => showDraft(queryClient, projectId, schema),
  });
}

/**
 * Shows a new draft and loads everything that depends on it again. The structure of a table that was dropped
 * or renamed is left out, because the request would fail with 404 while the page of the table is still open.
 */
export function showDraft(queryClient: QueryClient, projectId: string, schema: WorkingSchema): Promise<void> {
  queryClient.setQueryData(schemaKeys.working(projectId), schema);
  const names = new Set(schema.tables.map((table) => table.name));
  const [, , working] = schemaKeys.working(projectId);
  const [, , structure] = schemaKeys.structure(projectId, '');
  return queryClient.invalidateQueries({
    queryKey: schemaKeys.all(projectId),
    predicate: ({ queryKey: [, , kind, name] }) =>
      kind !== working && kind !== 'preview' && (kind !== structure || names.has(String(name))),
  });
}

/**
 * Writes the draft. `apply` adds the statements to the draft, and `replace` replaces the whole schema with
 * the text.
 */
export const useSaveSchema = (projectId: string) =>
  useDraftWrite(projectId, (request: PutSchemaRequest) =>
    sendRequest('PUT', `/api/projects/${projectId}/schema`, request),
  );

/** Applies a list of edits to the draft. Either all edits are applied or none. */
export const useEditSchema = (projectId: string) =>
  useDraftWrite(projectId, (request: SchemaEditsRequest) =>
    sendRequest('POST', `/api/projects/${projectId}/schema/edits`, request),
  );

/** Restores an earlier revision of the draft, or replaces the draft with the schema of a database. */
export const useRestoreSchema = (projectId: string) =>
  useDraftWrite(projectId, (request: RestoreSchemaRequest) =>
    sendRequest('POST', `/api/projects/${projectId}/schema/restore`, request),
  );

export const useApplyStarter = (projectId: string) =>
  useDraftWrite(projectId, (request: SchemaStarterRequest) =>
    sendRequest('POST', `/api/projects/${projectId}/schema/starter`, request),
  );

/** Adds the schema changes that were made over direct connections to the draft. */
export const useTakeDirect = (projectId: string) =>
  useDraftWrite(projectId, (request: TakeDirectRequest) =>
    sendRequest('POST', `/api/projects/${projectId}/schema/take`, request),
  );

/** Proposes schema edits for a change that is described in words. The draft is not changed. */
export const useProposeSchema = (projectId: string) =>
  useChange(
    (request: string) =>
      sendRequest<ProposalResponse>('POST', `/api/projects/${projectId}/schema/requests`, { request }),
    null,
  );

/**
 * Imports a dump into the draft. For a long dump, the response arrives before the server has read the whole
 * dump.
 */
export const useImportDump = (projectId: string) =>
  useChange(
    ({ body, mode, isZipped }: { body: Blob | string; mode: 'apply' | 'replace'; isZipped: boolean }) =>
      sendBody<TransferFileResponse>('POST', `/api/projects/${projectId}/schema/import?mode=${mode}`, {
        body,
        contentType: isZipped ? 'application/gzip' : 'application/sql',
      }),
    schemaKeys.all(projectId),
  );

export function useDeploy(projectId: string) {
  return useDeploying(projectId, (request: DeployRequest) =>
    sendRequest<DeployResponse>('POST', `/api/projects/${projectId}/deploy`, request),
  );
}

/** Deploys the schema of one database to another. */
export function usePromote(projectId: string) {
  return useDeploying(projectId, (request: PromoteRequest) =>
    sendRequest<DeployResponse>('POST', `/api/projects/${projectId}/promote`, request),
  );
}

function useDeploying<Request>(projectId: string, send: (request: Request) => Promise<DeployResponse>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (response) => {
      for (const migration of response.migrations) {
        if (migration.plan !== undefined)
          queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      }
      return queryClient.invalidateQueries({ queryKey: migrationKeys.of(projectId) });
    },
  });
}
