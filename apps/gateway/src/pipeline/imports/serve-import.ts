import { AppError } from '@rowhouse/errors';
import type { RowsFormat } from '@rowhouse/rest-engine';
import { bodyOwnerOf } from '../../tenant/body-memory-budget.js';
import type { GatewayResponse, GatewayRequest } from '../gateway-request.js';
import type { Gateway } from '../gateway.js';
import { assertPlacementReady, openTenant } from '../open-tenant.js';
import { createImportJob } from './import-job.js';
import { receiveRecords } from './receive-records.js';

/**
 * `POST /{table}` with `Prefer: on-error`: stores records in parts of up to 1,000 while the rest is still
 * arriving. Each part has its own transaction. Between parts no connection and no schema is held.
 */
export async function serveImport(
  gateway: Gateway,
  request: GatewayRequest,
  format: RowsFormat,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(gateway, request);
  try {
    assertPlacementReady(tenant);
    return await gateway.streams.run(tenant, 'import', async () => {
      const job = createImportJob(gateway, request, tenant, format);
      const held = gateway.bodies.hold(bodyOwnerOf(tenant.database));
      try {
        await job.begin();
        for await (const records of receiveRecords(request, format, held))
          if (await job.store(records)) break;
        return job.end(admitted.headers);
      } catch (error) {
        throw error instanceof AppError ? job.toError(error) : error;
      } finally {
        held.end();
      }
    });
  } finally {
    admitted.release();
  }
}
