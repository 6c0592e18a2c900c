import { AppError } from '@rowhouse/errors';
import { emitOpenApi } from '@rowhouse/emitters';
import type { RightsView } from '@rowhouse/snapshot-store';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { toPublicView } from '../tenant/to-tenant.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import { findPublished } from './find-published.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { openTenant, requireScope } from './open-tenant.js';

/** `GET /v1/-/openapi.json` with a key: what this key can see. */
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

/** `GET /v1/-/openapi/{docs_slug}`, without a key: everything but hidden columns. */
export async function servePublicOpenApi(gateway: Gateway, call: Call, slug: string): Promise<Answer> {
  const database = await findPublished(gateway, call, slug);
  return answerDocument(gateway, call, database, toPublicView(database.record.settings));
}

async function answerDocument(gateway: Gateway, call: Call, database: TenantDatabase, view: RightsView): Promise<Answer> {
  if (call.rawQuery !== '') throw new AppError('params.invalid', { detail: 'No parameters are known here.' });
  return onLiveSchema(gateway, database, view, call.trace, async ({ compiled }) => ({
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ETag: `"${compiled.number}.${database.record.version}.${view.name.slice(0, 12)}"` },
    body: writeDocument(compiled, gateway.publicUrl, database, view),
  }));
}

/** The text of one view, for the version of the database's row that it was written from. */
const written = new WeakMap<CompiledSnapshot, { readonly version: number; readonly text: string }>();

function writeDocument(compiled: CompiledSnapshot, serverUrl: string, database: TenantDatabase, view: RightsView): string {
  const { record } = database;
  const known = written.get(compiled);
  if (known !== undefined && known.version === record.version) return known.text;
  const options = { title: record.projectName, serverUrl, version: String(compiled.number), settings: record.settings, rights: view.rights };
  const text = JSON.stringify(emitOpenApi(compiled.snapshot, options));
  written.set(compiled, { version: record.version, text });
  return text;
}
