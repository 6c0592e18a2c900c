import { AppError } from '@rowhouse/errors';
import { writeOpenApiSteps } from '@rowhouse/emitters';
import type { RightsView } from '@rowhouse/snapshot-store';
import { doStepsInTurns, type CompiledSnapshot } from '@rowhouse/schema-model';
import { toPublicView } from '../tenant/to-tenant.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import { findPublished } from './find-published.js';
import type { Gateway } from './gateway.js';
import { keepDocument, type KeptDocument } from './kept-document.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

/** `GET /v1/-/openapi.json` with a key: serves the document for what this key can see. */
export async function serveOpenApi(gateway: Gateway, call: Call): Promise<Answer> {
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    requireScope(tenant, 'schema');
    const answer = await answerDocument(gateway, call, tenant.database, tenant.view);
    return { ...answer, headers: { ...answer.headers, ...admitted.headers } };
  } finally {
    admitted.release();
  }
}

/** `GET /v1/-/openapi/{docs_slug}` without a key: serves everything except hidden columns. */
export async function servePublicOpenApi(gateway: Gateway, call: Call, slug: string): Promise<Answer> {
  const database = await findPublished(gateway, call, slug);
  return answerDocument(gateway, call, database, toPublicView(database.record.settings));
}

async function answerDocument(gateway: Gateway, call: Call, database: TenantDatabase, view: RightsView): Promise<Answer> {
  if (call.rawQuery !== '') throw new AppError('params.invalid', { detail: 'No parameters are known here.' });
  return onLiveSchema(gateway, database, view, call.trace, async ({ compiled }) => {
    const { bytes, pack } = await writeDocument(gateway, compiled, database, view);
    return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8', ETag: `"${compiled.number}.${database.record.version}.${view.name.slice(0, 12)}"` }, body: bytes, pack };
  });
}

/** The document of each view, with the version of the database row that it was written from. */
const written = new WeakMap<CompiledSnapshot, { readonly version: number; readonly document: Promise<KeptDocument> }>();

/**
 * Writes the document in slices between other requests, because some hundred tables are megabytes of text.
 * Concurrent callers wait for the same document.
 */
function writeDocument(gateway: Gateway, compiled: CompiledSnapshot, database: TenantDatabase, view: RightsView): Promise<KeptDocument> {
  const { record } = database;
  const known = written.get(compiled);
  if (known !== undefined && known.version === record.version) return known.document;
  const options = { title: record.projectName, serverUrl: gateway.publicUrl, version: String(compiled.number), settings: record.settings, rights: view.rights };
  const turn = (): Promise<void> => gateway.turns.turn(record.schemaName);
  const document = doStepsInTurns(writeOpenApiSteps(compiled.snapshot, options), turn).then((pieces) => keepDocument(pieces, turn));
  written.set(compiled, { version: record.version, document });
  document.catch(() => written.delete(compiled));
  return document;
}
