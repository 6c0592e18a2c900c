import { hasCredential } from '../tenant/read-credential.js';
import { askDatabase } from './ask-database.js';
import { jsonAnswer, type Answer, type Call } from './call.js';
import { describeLimits } from './describe-limits.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { checkPlace, openTenant } from './open-tenant.js';
import { CACHE_NEVER } from './response-headers.js';

const NO_STORE = { 'Cache-Control': CACHE_NEVER } as const;

/** `GET /v1/-/health`: reports on the process without a key, and on the database with one. */
export async function serveHealth(gateway: Gateway, call: Call): Promise<Answer> {
  const time = new Date().toISOString();
  if (!hasCredential(call.headers)) return jsonAnswer(200, { status: 'ok', time }, NO_STORE);
  const { tenant, admitted } = await openTenant(gateway, call);
  try {
    checkPlace(tenant);
    const version = await onLiveSchema(gateway, tenant.database, tenant.view, call.trace, async (use) => use.number);
    await askDatabase(gateway, tenant.database);
    const database = { id: tenant.key.databaseId, project: tenant.database.record.projectName, environment: tenant.database.record.environment };
    return jsonAnswer(200, { status: 'ok', database, schema_version: version, time, limits: describeLimits(tenant, gateway.costs.budgetOf(tenant)) }, { ...NO_STORE, ...admitted.headers });
  } finally {
    admitted.release();
  }
}
