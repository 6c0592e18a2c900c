import { API_PREFIX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  findRowsTable,
  nameElementLine,
  readRowsBodySteps,
  type RowsBody,
  type RowsFormat,
} from '@rowhouse/rest-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { bodyOwnerOf } from '../limits/large-bodies.js';
import { serveRest, type RestServices } from '../rest/serve-rest.js';
import { assertPlacementReady, openTenant } from '../tenant/open-tenant.js';
import { createImportJob, type ImportServices } from './import-job.js';
import { receiveRecords } from './receive-records.js';
import { checkRowsType, decodeUtf8, isImport, openUtf8 } from './rows-type.js';
/**
 * `POST /{table}` with NDJSON or CSV: runs an import in parts if requested. Otherwise the body is equivalent
 * to a JSON array.
 */
export async function serveRows(
  services: RestServices & ImportServices,
  request: GatewayRequest,
  format: RowsFormat,
): Promise<GatewayResponse> {
  checkRowsType(request.headers);
  if (isImport(request.headers)) return serveImport(services, request, format);
  let read: RowsBody | null = null;
  try {
    return await serveRest(services, request, async (_call, compiled, database) => {
      const table = findRowsTable(request.rawPath.slice(API_PREFIX.length), compiled);
      const { schemaName, settings } = database.record;
      const steps = readRowsBodySteps(request.body ?? new Uint8Array(0), table, {
        format,
        unknownFields: settings.unknown_fields,
        decodeUtf8,
        openUtf8,
      });
      read = await runStepsInSlices(steps, () => services.scheduler.nextSlice(schemaName));
      return read.rows;
    });
  } catch (error) {
    if (!(error instanceof AppError) || read === null) throw error;
    throw nameElementLine(error, (read as RowsBody).lines);
  }
}

/**
 * `POST /{table}` with `Prefer: on-error`: stores records in parts of up to 1,000 while the rest is still
 * arriving. Each part has its own transaction. Between parts no connection and no schema is held.
 */
async function serveImport(
  services: ImportServices,
  request: GatewayRequest,
  format: RowsFormat,
): Promise<GatewayResponse> {
  const { tenant, admitted } = await openTenant(services, request);
  try {
    assertPlacementReady(tenant);
    return await services.streams.run(tenant, 'import', async () => {
      const job = createImportJob(services, request, tenant, format);
      const held = services.largeBodies.hold(bodyOwnerOf(tenant.database));
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
