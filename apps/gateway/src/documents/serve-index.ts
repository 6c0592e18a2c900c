import { API_PREFIX } from '@rowhouse/contracts';
import { toUrlPath } from '@rowhouse/schema-model';
import { jsonResponse, type GatewayResponse, type GatewayRequest } from '../http/gateway-request.js';
import { compileWhole } from '../schema/compile-tables.js';
import { onLiveSchema } from '../schema/on-live-schema.js';
import { openTenant } from '../tenant/open-tenant.js';
import type { Tenant } from '../tenant/tenant.js';
import type { SchemaDocumentServices } from './serve-schema.js';

/** `GET /v1/-/`: lists the tables that this key can see, each with its address. */
export async function serveIndex(
  services: SchemaDocumentServices,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(services, request);
  try {
    return await onLiveSchema(services, tenant.database, tenant.view, request.trace, async ({ compiled }) => {
      await compileWhole(services, compiled, tenant.database);
      const tables = compiled.tableNames.flatMap((name) => {
        const table = compiled.findByName(name);
        return table === null
          ? []
          : [
              {
                name,
                kind: table.kind,
                path: table.path,
                href: `${API_PREFIX}/${toUrlPath(table.path)}`,
                allowed: table.verbs,
              },
            ];
      });
      const links = {
        schema: `${API_PREFIX}/schema`,
        query: `${API_PREFIX}/query`,
        health: `${API_PREFIX}/health`,
        openapi: `${API_PREFIX}/openapi.json`,
      };
      const docs = canSeeDocs(tenant)
        ? { docs: `${API_PREFIX}/docs/${tenant.database.record.docsSlug}` }
        : {};
      return jsonResponse(
        200,
        { schema_version: compiled.number, tables, links: { ...links, ...docs } },
        admitted.headers,
      );
    });
  } finally {
    admitted.release();
  }
}

/**
 * Returns whether the response includes the address of the published page. The page shows every table, so
 * only keys that see all tables get it.
 */
function canSeeDocs({ key, view, database }: Tenant): boolean {
  return (
    database.record.settings.docs_enabled && view.rights.tables === null && key.scopes.includes('schema')
  );
}
