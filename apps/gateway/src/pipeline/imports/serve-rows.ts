import { AppError } from '@rowhouse/errors';
import {
  findRowsTable,
  nameElementLine,
  readRowsBodySteps,
  type RowsBody,
  type RowsFormat,
} from '@rowhouse/rest-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';
import { API_PREFIX } from '../../limits.js';
import type { GatewayResponse, GatewayRequest } from '../gateway-request.js';
import type { Gateway } from '../gateway.js';
import { serveRest } from '../serve-rest.js';
import { checkRowsType, decodeUtf8, isImport, openUtf8 } from './rows-type.js';
import { serveImport } from './serve-import.js';

/**
 * `POST /{table}` with NDJSON or CSV: runs an import in parts if requested. Otherwise the body is equivalent
 * to a JSON array.
 */
export async function serveRows(
  gateway: Gateway,
  request: GatewayRequest,
  format: RowsFormat,
): Promise<GatewayResponse> {
  checkRowsType(request.headers);
  if (isImport(request.headers)) return serveImport(gateway, request, format);
  let read: RowsBody | null = null;
  try {
    return await serveRest(gateway, request, async (_call, compiled, database) => {
      const table = findRowsTable(request.rawPath.slice(API_PREFIX.length), compiled);
      const { schemaName, settings } = database.record;
      const steps = readRowsBodySteps(request.body ?? new Uint8Array(0), table, {
        format,
        unknownFields: settings.unknown_fields,
        decodeUtf8,
        openUtf8,
      });
      read = await runStepsInSlices(steps, () => gateway.turns.turn(schemaName));
      return read.rows;
    });
  } catch (error) {
    if (!(error instanceof AppError) || read === null) throw error;
    throw nameElementLine(error, (read as RowsBody).lines);
  }
}
