import type { QueryCosts } from '../cost/query-costs.js';
import { CACHE_NEVER } from '../http/error-response.js';
import { jsonResponse, type GatewayResponse, type GatewayRequest } from '../http/gateway-request.js';
import { describeLimits } from '../limits/describe-limits.js';
import { onLiveSchema, pingDatabase, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { assertPlacementReady, openTenant, type RequestServices } from '../tenant/open-tenant.js';
import { hasCredential } from '../tenant/read-credential.js';

export interface HealthServices extends RequestServices, LiveSchemaServices {
  /** The budgets for the rows that statements may examine. */
  readonly costs: QueryCosts;
}

const NO_STORE = { 'Cache-Control': CACHE_NEVER } as const;

/** `GET /v1/-/health`: reports on the process without a key, and on the database with one. */
export async function serveHealth(
  services: HealthServices,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  const time = new Date().toISOString();
  if (!hasCredential(request.headers)) return jsonResponse(200, { status: 'ok', time }, NO_STORE);
  const { tenant, admitted } = await openTenant(services, request);
  try {
    assertPlacementReady(tenant);
    const version = await onLiveSchema(
      services,
      tenant.database,
      tenant.view,
      request.trace,
      async (use) => use.number,
    );
    await pingDatabase(services.pools, tenant.database);
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
        limits: describeLimits(tenant, services.costs.budgetOf(tenant)),
      },
      { ...NO_STORE, ...admitted.headers },
    );
  } finally {
    admitted.release();
  }
}
