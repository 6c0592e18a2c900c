import { hasCredential } from '../tenant/read-credential.js';
import { pingDatabase } from './ping-database.js';
import { jsonResponse, type GatewayResponse, type GatewayRequest } from './gateway-request.js';
import { describeLimits } from './describe-limits.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { assertPlacementReady, openTenant } from './open-tenant.js';
import { CACHE_NEVER } from './response-headers.js';

const NO_STORE = { 'Cache-Control': CACHE_NEVER } as const;

/** `GET /v1/-/health`: reports on the process without a key, and on the database with one. */
export async function serveHealth(gateway: Gateway, request: GatewayRequest): Promise<GatewayResponse> {
  const time = new Date().toISOString();
  if (!hasCredential(request.headers)) return jsonResponse(200, { status: 'ok', time }, NO_STORE);
  const { tenant, admitted } = await openTenant(gateway, request);
  try {
    assertPlacementReady(tenant);
    const version = await onLiveSchema(
      gateway,
      tenant.database,
      tenant.view,
      request.trace,
      async (use) => use.number,
    );
    await pingDatabase(gateway, tenant.database);
    const database = {
      id: tenant.key.databaseId,
      project: tenant.database.record.projectName,
      environment: tenant.database.record.environment,
    };
    return jsonResponse(
      200,
      {
        status: 'ok',
        database,
        schema_version: version,
        time,
        limits: describeLimits(tenant, gateway.costs.budgetOf(tenant)),
      },
      { ...NO_STORE, ...admitted.headers },
    );
  } finally {
    admitted.release();
  }
}
