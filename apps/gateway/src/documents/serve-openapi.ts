import { writeOpenApiSteps, type OpenApiOptions } from '@rowhouse/emitters';
import { AppError } from '@rowhouse/errors';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import type { RightsView } from '@rowhouse/snapshot-store';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { onLiveSchema } from '../schema/on-live-schema.js';
import { openTenant, requireScope } from '../tenant/open-tenant.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { toPublicView } from '../tenant/to-tenant.js';
import { cacheDocument, type CachedDocument } from './cached-document.js';
import { findPublished } from './find-published.js';
import type { SchemaDocumentServices } from './serve-schema.js';

export interface DocumentServices extends SchemaDocumentServices {
  readonly publicUrl: string;
}

/** `GET /v1/-/openapi.json` with a key: serves the document for what this key can see. */
export async function serveOpenApi(
  services: DocumentServices,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(services, request);
  try {
    requireScope(tenant, 'schema');
    const response = await respondDocument(services, request, tenant.database, tenant.view);
    return { ...response, headers: { ...response.headers, ...admitted.headers } };
  } finally {
    admitted.release();
  }
}

/**
 * `GET /v1/-/openapi/{docs_slug}` without a key: serves the document for all tables, without hidden columns.
 */
export async function servePublicOpenApi(
  services: DocumentServices,
  request: GatewayRequest,
  slug: string,
): Promise<GatewayResponse> {
  const database = await findPublished(services, request, slug);
  return respondDocument(services, request, database, toPublicView(database.record.settings));
}

async function respondDocument(
  services: DocumentServices,
  request: GatewayRequest,
  database: TenantDatabase,
  view: RightsView,
): Promise<GatewayResponse> {
  if (request.rawQuery !== '')
    throw new AppError('params.invalid', { detail: 'This endpoint has no parameters.' });
  return onLiveSchema(services, database, view, request.trace, async ({ compiled }) => {
    const { bytes, pack } = await writeDocument(services, compiled, database, view);
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        ETag: `"${compiled.number}.${database.record.version}.${view.name.slice(0, 12)}"`,
      },
      body: bytes,
      pack,
    };
  });
}

/** The document of each view, with the version of the database row that it was written from. */
const written = new WeakMap<
  CompiledSnapshot,
  { readonly version: number; readonly document: Promise<CachedDocument> }
>();

/**
 * Writes the document in slices between other requests, because some hundred tables are megabytes of text.
 * Concurrent callers wait for the same document.
 */
function writeDocument(
  services: Pick<DocumentServices, 'scheduler' | 'publicUrl'>,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
  view: RightsView,
): Promise<CachedDocument> {
  const { record } = database;
  const known = written.get(compiled);
  if (known !== undefined && known.version === record.version) return known.document;
  const options = toDocumentOptions(services, compiled, database, view);
  const nextSlice = (): Promise<void> => services.scheduler.nextSlice(record.schemaName);
  const document = runStepsInSlices(writeOpenApiSteps(compiled.snapshot, options), nextSlice).then((chunks) =>
    cacheDocument(chunks, nextSlice),
  );
  written.set(compiled, { version: record.version, document });
  document.catch(() => written.delete(compiled));
  return document;
}

/** Returns the options with which the documents of a database are written. */
export function toDocumentOptions(
  { publicUrl }: Pick<DocumentServices, 'publicUrl'>,
  compiled: CompiledSnapshot,
  { record }: TenantDatabase,
  view: RightsView,
): OpenApiOptions {
  return {
    title: record.projectName,
    serverUrl: publicUrl,
    version: String(compiled.number),
    settings: record.settings,
    rights: view.rights,
  };
}
