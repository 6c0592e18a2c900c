import type { KeyObject } from 'node:crypto';
import { pauseOf } from '@rowhouse/admission';
import { API_PREFIX } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { authorizePlan, parseRequest, planRequest, toResponse, toStatements } from '@rowhouse/rest-engine';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { onLiveSchema, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { loadStoredColumns } from '../schema/stored-columns.js';
import { addBodyTag } from '../statements/finish-results.js';
import type { UnreadableWriteError } from '../statements/plan-error.js';
import { runProgram, type RecordServices } from '../statements/run-program.js';
import type { Tenant } from '../tenant/tenant.js';
import { planOptions } from './plan-options.js';

export interface ReadBackServices extends LiveSchemaServices, RecordServices {
  /** The key that seals cursors. It is the same in every gateway of the deployment. */
  readonly cursorKey: KeyObject;
}

/**
 * Responds to a committed change whose record could not be read back, because its table was altered. The
 * response is the current record in the live schema. Query parameters are ignored, because they use old
 * names.
 */
export async function readWritten(
  services: ReadBackServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  written: UnreadableWriteError,
): Promise<GatewayResponse> {
  const { database, view } = tenant;
  const response = await onLiveSchema(
    services,
    database,
    view,
    gatewayRequest.trace,
    async ({ compiled, number }) => {
      const rawPath = gatewayRequest.rawPath.slice(API_PREFIX.length);
      const request = parseRequest(
        {
          method: 'GET',
          rawPath,
          rawQuery: '',
          headers:
            gatewayRequest.headers.prefer === undefined ? {} : { prefer: gatewayRequest.headers.prefer },
          body: undefined,
        },
        compiled,
        { prefix: API_PREFIX },
      );
      const options = planOptions(
        services.cursorKey,
        database,
        await loadStoredColumns(services.directory, database, request, number),
      );
      const plan = authorizePlan(planRequest(request, options), view.rights, tenant.key.scopes);
      const results = await runProgram(
        services,
        database,
        plan,
        toStatements(plan, database.record.server.capabilities, services.digest),
      );
      return addBodyTag(toResponse(plan, results, services.digest), pauseOf(services, database));
    },
  ).catch((error: unknown) => {
    throw toReadBackError(error, written);
  });
  return response;
}

/** Converts an error of the read to an error that says that the change was committed. */
function toReadBackError(error: unknown, { fault }: UnreadableWriteError): AppError {
  const forLog = { internal: `errno ${fault.errno}: ${fault.sqlMessage}`, cause: error };
  if (!(error instanceof AppError) || error.status !== 404)
    return new AppError('db.outcome_unknown', {
      detail: 'The change was committed, but the record could not be read back.',
      ...forLog,
    });
  return new AppError(error.code, {
    detail: `The change was committed, but its result could not be read. ${error.detail}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...forLog,
  });
}
