import { AppError } from '@rowhouse/errors';
import { writeOpenApiSteps } from '@rowhouse/emitters';
import type { RightsView } from '@rowhouse/snapshot-store';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { toPublicView } from '../tenant/to-tenant.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import { findPublished } from './find-published.js';
import type { Gateway } from './gateway.js';
import { cacheDocument, type CachedDocument } from './cached-document.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

/** `GET /v1/-/openapi.json` with a key: serves the document for what this key can see. */
export async function serveOpenApi(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(gateway, request);
  try {
    requireScope(tenant, 'schema');
    const response = await respondDocument(gateway, request, tenant.database, tenant.view);
    return { ...response, headers: { ...response.headers, ...admitted.headers } };
  } finally {
    admitted.release();
  }
}

/** `GET /v1/-/openapi/{docs_slug}` without a key: serves everything except hidden columns. */
export async function servePublicOpenApi(
  gateway: Gateway,
  request: GatewayRequest,
  slug: string,
): Promise<GatewayResponse> {
  const database = await findPublished(gateway, request, slug);
  return respondDocument(gateway, request, database, toPublicView(database.record.settings));
}

async function respondDocument(
  gateway: Gateway,
  request: GatewayRequest,
  database: TenantDatabase,
  view: RightsView,
): Promise<GatewayResponse> {
  if (request.rawQuery !== '')
    throw new AppError('params.invalid', { detail: 'No parameters are known here.' });
  return onLiveSchema(gateway, database, view, request.trace, async ({ compiled }) => {
    const { bytes, pack } = await writeDocument(gateway, compiled, database, view);
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
  gateway: Gateway,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
  view: RightsView,
): Promise<CachedDocument> {
  const { record } = database;
  const known = written.get(compiled);
  if (known !== undefined && known.version === record.version) return known.document;
  const options = {
    title: record.projectName,
    serverUrl: gateway.publicUrl,
    version: String(compiled.number),
    settings: record.settings,
    rights: view.rights,
  };
  const nextSlice = (): Promise<void> => gateway.turns.turn(record.schemaName);
  const document = runStepsInSlices(writeOpenApiSteps(compiled.snapshot, options), nextSlice).then((chunks) =>
    cacheDocument(chunks, nextSlice),
  );
  written.set(compiled, { version: record.version, document });
  document.catch(() => written.delete(compiled));
  return document;
}
