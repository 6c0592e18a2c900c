import { AppError } from '@rowhouse/errors';
import { authorizePlan, parseRequest, planRequest, toResponse, toStatements } from '@rowhouse/rest-engine';
import { API_PREFIX } from '../limits.js';
import type { Tenant } from '../tenant/tenant.js';
import type { Answer, Call } from './call.js';
import { addBodyTag } from './finish-results.js';
import type { Gateway } from './gateway.js';
import { onLiveSchema } from './on-live-schema.js';
import { planOptions } from './plan-options.js';
import { pauseOf, runProgram } from './run-program.js';
import { loadStoredColumns } from './stored-columns.js';
import type { WrittenUnread } from './written-unread.js';

/**
 * The answer to a change whose table got another shape between the change and its reading back: the record as it is now,
 * by the schema that is live now. What the request asked for in names of the old one is left out.
 */
export async function readWritten(gateway: Gateway, tenant: Tenant, call: Call, written: WrittenUnread): Promise<Answer> {
  const { database, view } = tenant;
  const answer = await onLiveSchema(gateway, database, view, call.trace, async ({ compiled, number }) => {
    const rawPath = call.rawPath.slice(API_PREFIX.length);
    const request = parseRequest({ method: 'GET', rawPath, rawQuery: '', headers: call.headers.prefer === undefined ? {} : { prefer: call.headers.prefer }, body: undefined }, compiled, { prefix: API_PREFIX });
    const options = planOptions(gateway, database, await loadStoredColumns(gateway, database, request, number));
    const plan = authorizePlan(planRequest(request, options), view.rights, tenant.key.scopes);
    const results = await runProgram(gateway, database, plan, toStatements(plan, database.record.server.capabilities, gateway.digest));
    return addBodyTag(toResponse(plan, results, gateway.digest), pauseOf(gateway, database));
  }).catch((error: unknown) => {
    throw toUnread(error, written);
  });
  return answer;
}

/** Nothing that the read comes to may be taken for a refusal of the change; a table that has another name now is known to be gone from here. */
function toUnread(error: unknown, { fault }: WrittenUnread): AppError {
  const forLog = { internal: `errno ${fault.errno}: ${fault.sqlMessage}`, cause: error };
  if (!(error instanceof AppError) || error.status !== 404) return new AppError('db.outcome_unknown', { detail: 'The change was made; the record could not be read back.', ...forLog });
  return new AppError(error.code, { detail: `The change was made; since then: ${error.detail}`, ...(error.hint === undefined ? {} : { hint: error.hint }), ...forLog });
}
