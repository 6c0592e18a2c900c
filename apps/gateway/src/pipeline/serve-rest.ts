import {
  authorizePlan,
  cacheShape,
  parseRequest,
  planByShape,
  planRequest,
  prepareDocumentsSteps,
  toResponse,
  toStatements,
  type ApiRequest,
  type JsonValue,
  type Plan,
  type PlanOptions,
  type RawRequest,
} from '@rowhouse/rest-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { API_PREFIX } from '../limits.js';
import { NO_HEADERS } from '../tenant/admission.js';
import { readCredential } from '../tenant/read-credential.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { awaitLargeBody, type LargeBody } from './await-large-body.js';
import type { GatewayResponse, GatewayRequest } from './gateway-request.js';
import { admitPlan, createNextAdmission, withAdmission } from './cost/admit-plan.js';
import { addBodyTag } from './finish-results.js';
import type { Gateway } from './gateway.js';
import { serveIdempotent, type IdempotentWrite } from './idempotency/serve-idempotent.js';
import { onLiveSchema, seenBy } from './on-live-schema.js';
import { assertPlacementReady, resolveTenant } from './open-tenant.js';
import { planOptions, toShapeOptions } from './plan-options.js';
import { readJsonBody } from './read-body.js';
import { pauseOf, runGuarded, runProgram } from './run-program.js';
import { readWritten } from './read-written.js';
import { streamList } from './streams/stream-list.js';
import { loadStoredColumns } from './stored-columns.js';
import { UnreadableWriteError } from './unreadable-write-error.js';

/** Reads bodies that are not JSON, and returns the equivalent JSON value. */
export type ReadBody = (
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * Serves one call on a table's rows in a straight line. The trailing comments number the steps. `serveCall`
 * does step 10, `observe`, because it also sees rejected requests.
 */
export async function serveRest(
  gateway: Gateway,
  gatewayRequest: GatewayRequest,
  readBody: ReadBody = readJsonBody,
): Promise<GatewayResponse> {
  const { headers, method, rawQuery, trace } = gatewayRequest;
  const keyHash = readCredential(headers, gateway.hashKey); //                                               1
  let tenant = await resolveTenant(gateway, keyHash, gatewayRequest); //                                              2
  trace.tenant(tenant);
  assertPlacementReady(tenant);
  const admitted = gateway.admission.admit(tenant, headers.origin); //                                      3
  trace.mark('auth');
  let large: LargeBody | null = null;
  try {
    const waiting = awaitLargeBody(gateway, gatewayRequest, tenant);
    if (waiting !== null) {
      large = await waiting;
      tenant = large.tenant;
    }
    const first = tenant;
    const { database } = first;
    // For a database not in memory, a session is prepared while its schema is read.
    if (database.rowsAccount !== null && !gateway.schemas.has(database.record.id))
      gateway.pools.expect(database.server, database.rowsAccount);
    return await onLiveSchema(gateway, database, first.view, trace, async ({ compiled, number }, view) => {
      // 4
      tenant = seenBy(first, view);
      const read =
        large !== null && readBody === readJsonBody
          ? large.read()
          : readBody(gatewayRequest, compiled, database);
      const body = read instanceof Promise ? await read : read;
      const raw: RawRequest = {
        method,
        rawPath: gatewayRequest.rawPath.slice(API_PREFIX.length),
        rawQuery,
        headers,
        body,
      };
      const shapes = toShapeOptions(gateway, database);
      const known = planByShape(raw, compiled, API_PREFIX, shapes); // 5, 6 of a read with a known shape
      if (known !== null) {
        trace.route(nameRoute(method, known));
        return await respondPlan(
          gateway,
          tenant,
          gatewayRequest,
          authorizePlan(known, view.rights, tenant.key.scopes),
          admitted.headers,
        ); // 6b to 9
      }
      const request = parseRequest(raw, compiled, { prefix: API_PREFIX }); //                               5
      trace.route(nameRoute(method, request));
      if (large !== null && 'body' in request)
        await runStepsInSlices(prepareDocumentsSteps(request.table, request.body), () =>
          gateway.turns.turn(database.record.schemaName),
        );
      const options = planOptions(
        gateway,
        database,
        await loadStoredColumns(gateway, database, request, number),
      );
      if (request.idempotencyKey !== null) {
        const once = await serveIdempotent(gateway, tenant, gatewayRequest, {
          key: request.idempotencyKey,
          compiled,
          table: request.table,
          prepare: () => prepareWrite(gateway, tenant, gatewayRequest, request, options),
        });
        trace.mark('db');
        return { ...once, headers: { ...once.headers, ...admitted.headers } };
      }
      const plan = planRequest(request, options); //                                                        6
      cacheShape(raw, request, plan, compiled, shapes);
      authorizePlan(plan, view.rights, tenant.key.scopes); //                                               6b
      if ((plan.kind === 'list' || plan.kind === 'aggregate') && plan.format !== 'json')
        return await streamList(gateway, {
          request: gatewayRequest,
          tenant,
          number,
          plan,
          headers: admitted.headers,
        });
      return await respondPlan(gateway, tenant, gatewayRequest, plan, admitted.headers); //                            7 to 9
    });
  } catch (error) {
    if (!(error instanceof UnreadableWriteError)) throw error;
    return await readWritten(gateway, tenant, gatewayRequest, error);
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Runs steps 7 to 9. */
async function respondPlan(
  gateway: Gateway,
  tenant: Tenant,
  { trace }: GatewayRequest,
  plan: Plan,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const { database } = tenant;
  const program = toStatements(plan, database.record.server.capabilities, gateway.digest); //               7
  trace.plan(plan.kind);
  trace.mark('plan');
  const judged = admitPlan(gateway, tenant, plan, program.first.statements);
  if (judged !== null) await judged;
  const admitNext = createNextAdmission(gateway, tenant, plan);
  const results = await runProgram(
    gateway,
    database,
    plan,
    program,
    admitNext === null ? undefined : { admitNext },
  ); // 8
  trace.mark('db');
  const nextSlice = gateway.turns.turnForRows(database.record.schemaName, results);
  if (nextSlice !== null) await nextSlice;
  const created = toResponse(plan, results, gateway.digest); //                                                9
  const response =
    created.tagWith === undefined ? created : await addBodyTag(created, pauseOf(gateway, database));
  trace.rows(results[0]?.rowCount ?? 0);
  return headers === NO_HEADERS ? response : { ...response, headers: { ...response.headers, ...headers } };
}

function nameRoute(method: string, request: Pick<Plan, 'table'>): string {
  return `${method} /${request.table.path}${'key' in request ? '/{id}' : ''}`;
}

/** Runs steps 6 to 9 of an idempotent write. */
function prepareWrite(
  gateway: Gateway,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  request: ApiRequest,
  options: PlanOptions,
): IdempotentWrite {
  const { database, view } = tenant;
  const plan = authorizePlan(planRequest(request, options), view.rights);
  const program = toStatements(plan, database.record.server.capabilities, gateway.digest);
  gatewayRequest.trace.plan(plan.kind);
  return {
    plans: [plan],
    run: (guard) =>
      runGuarded(
        gateway,
        database,
        plan,
        program,
        withAdmission(gateway, tenant, plan, program.first.statements, guard),
      ),
  };
}
