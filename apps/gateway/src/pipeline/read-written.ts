import { AppError } from '@rowhouse/errors';
import { authorizePlan, parseRequest, planRequest, toResponse, toStatements } from '@rowhouse/rest-engine';
import { API_PREFIX } from '../limits.js';
import type { Tenant } from '../tenant/tenant.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import { addBodyTag } from './finish-results.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { planOptions } from './plan-options.js';
import { pauseOf, runProgram } from './run-program.js';
import { loadStoredColumns } from './stored-columns.js';
import type { UnreadableWriteError } from './unreadable-write-error.js';

/**
 * Answers a change when the table was altered before its record could be read back. The response is the
 * current record in the live schema. Options of the request that use names of the old schema are ignored.
 */
export async function readWritten(
  gateway: Gateway,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  written: UnreadableWriteError,
): Promise<GatewayResponse> {
  const { database, view } = tenant;
  const response = await onLiveSchema(
    gateway,
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
        gateway,
        database,
        await loadStoredColumns(gateway, database, request, number),
      );
      const plan = authorizePlan(planRequest(request, options), view.rights, tenant.key.scopes);
      const results = await runProgram(
        gateway,
        database,
        plan,
        toStatements(plan, database.record.server.capabilities, gateway.digest),
      );
      return addBodyTag(toResponse(plan, results, gateway.digest), pauseOf(gateway, database));
    },
  ).catch((error: unknown) => {
    throw toUnread(error, written);
  });
  return response;
}

/**
 * Converts an error of the read. No error may look like a rejection of the change. A renamed table is
 * reported as missing at this address.
 */
function toUnread(error: unknown, { fault }: UnreadableWriteError): AppError {
  const forLog = { internal: `errno ${fault.errno}: ${fault.sqlMessage}`, cause: error };
  if (!(error instanceof AppError) || error.status !== 404)
    return new AppError('db.outcome_unknown', {
      detail: 'The change was made; the record could not be read back.',
      ...forLog,
    });
  return new AppError(error.code, {
    detail: `The change was made; since then: ${error.detail}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...forLog,
  });
}
