import type { KeyObject } from 'node:crypto';
import { pauseOf } from '@rowhouse/admission';
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
import { admitPlan, createNextAdmission, withAdmission } from '../cost/admit-plan.js';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import {
  serveIdempotent,
  type IdempotentWrite,
  type IdempotencyServices,
} from '../idempotency/serve-idempotent.js';
import { awaitLargeBody, type LargeBody, type LargeBodyServices } from '../limits/await-large-body.js';
import { isLargeBody } from '../limits/large-bodies.js';
import { API_PREFIX } from '../limits/limits.js';
import { NO_HEADERS } from '../limits/request-admission.js';
import { onLiveSchema, withView, type LiveSchemaServices } from '../schema/on-live-schema.js';
import { loadStoredColumns } from '../schema/stored-columns.js';
import { addBodyTag } from '../statements/finish-results.js';
import { UnreadableWriteError } from '../statements/plan-error.js';
import { runGuarded, runProgram } from '../statements/run-program.js';
import { streamList, type ListStreamServices } from '../streams/stream-list.js';
import { assertPlacementReady, resolveTenant, type RequestServices } from '../tenant/open-tenant.js';
import { readCredential } from '../tenant/read-credential.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { planOptions, toShapeOptions } from './plan-options.js';
import { readJsonBody } from './read-body.js';
import { readWritten } from './read-written.js';

export interface RestServices
  extends RequestServices, LargeBodyServices, LiveSchemaServices, IdempotencyServices, ListStreamServices {
  /** The key that seals cursors. It is the same in every gateway of the deployment. */
  readonly cursorKey: KeyObject;
}

/** Returns the body of a request as a JSON value. Bodies that are not JSON are converted. */
export type ReadBody = (
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  database: TenantDatabase,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * Serves one call on a table's rows in a straight line. The trailing comments number the steps. `serveRequest`
 * does step 10, `observe`, because it also sees rejected requests.
 */
export async function serveRest(
  services: RestServices,
  request: GatewayRequest,
  readBody: ReadBody = readJsonBody,
): Promise<GatewayResponse> {
  const { headers, trace } = request;
  const keyHash = readCredential(headers, services.hashKey); // 1
  const tenant = await resolveTenant(services, keyHash, request); // 2
  trace.tenant(tenant);
  assertPlacementReady(tenant);
  const admitted = services.admission.admit(tenant, headers.origin); // 3
  trace.mark('auth');
  let large: LargeBody | null = null;
  try {
    const waiting = awaitLargeBody(services, request, tenant);
    if (waiting !== null) large = await waiting;
    return await respondRest(
      services,
      large?.tenant ?? tenant,
      request,
      admitted.headers,
      large !== null && readBody === readJsonBody ? large.read : readBody,
    );
  } finally {
    large?.leave();
    admitted.release();
  }
}

/** Runs steps 4 to 9 for an admitted request. `headers` are added to the response. */
export async function respondRest(
  services: RestServices,
  admitted: Tenant,
  request: GatewayRequest,
  headers: GatewayResponse['headers'],
  readBody: ReadBody,
): Promise<GatewayResponse> {
  const { database } = admitted;
  // For a database not in memory, a session is prepared while its schema is read.
  if (database.rowsAccount !== null && !services.schemas.has(database.record.id))
    services.pools.expect(database.server, database.rowsAccount);
  let tenant = admitted;
  try {
    return await onLiveSchema(services, database, admitted.view, request.trace, ({ compiled }, view) => {
      tenant = withView(admitted, view); // 4
      const body = readBody(request, compiled, database);
      return body instanceof Promise
        ? body.then((value) => planAndRespond(services, tenant, request, compiled, value, headers))
        : planAndRespond(services, tenant, request, compiled, body, headers);
    });
  } catch (error) {
    if (!(error instanceof UnreadableWriteError)) throw error;
    return await readWritten(services, tenant, request, error);
  }
}

/** Plans a request on one version of the schema and responds. A read whose shape is known is not parsed again. */
function planAndRespond(
  services: RestServices,
  tenant: Tenant,
  request: GatewayRequest,
  compiled: CompiledSnapshot,
  body: JsonValue | undefined,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const { method, rawQuery, trace } = request;
  const raw: RawRequest = {
    method,
    rawPath: request.rawPath.slice(API_PREFIX.length),
    rawQuery,
    headers: request.headers,
    body,
  };
  const shapes = toShapeOptions(services.cursorKey, tenant.database);
  const known = planByShape(raw, compiled, API_PREFIX, shapes); // 5, 6 of a read with a known shape
  if (known === null) return parseAndRespond(services, tenant, request, compiled, raw, headers);
  trace.route(nameRoute(method, known));
  const plan = authorizePlan(known, tenant.view.rights, tenant.key.scopes); // 6b
  return respondPlan(services, tenant, request, plan, headers); // 7 to 9
}

async function parseAndRespond(
  services: RestServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  compiled: CompiledSnapshot,
  raw: RawRequest,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const { database } = tenant;
  const { trace } = gatewayRequest;
  const request = parseRequest(raw, compiled, { prefix: API_PREFIX }); // 5
  trace.route(nameRoute(raw.method, request));
  if ('body' in request && isLargeBody(gatewayRequest.body))
    await runStepsInSlices(prepareDocumentsSteps(request.table, request.body), pauseOf(services, database));
  const storedColumnsAt = loadStoredColumns(services.directory, database, request, compiled.number);
  const options = planOptions(
    services.cursorKey,
    database,
    storedColumnsAt instanceof Promise ? await storedColumnsAt : storedColumnsAt,
  );
  if (request.idempotencyKey !== null) {
    const response = await serveIdempotent(services, tenant, gatewayRequest, {
      key: request.idempotencyKey,
      compiled,
      table: request.table,
      prepare: () => prepareWrite(services, tenant, gatewayRequest, request, options),
    });
    trace.mark('db');
    return { ...response, headers: { ...response.headers, ...headers } };
  }
  const plan = planRequest(request, options); // 6
  cacheShape(raw, request, plan, compiled, toShapeOptions(services.cursorKey, database));
  authorizePlan(plan, tenant.view.rights, tenant.key.scopes); // 6b
  if ((plan.kind === 'list' || plan.kind === 'aggregate') && plan.format !== 'json')
    return await streamList(services, {
      request: gatewayRequest,
      tenant,
      number: compiled.number,
      plan,
      headers,
    });
  return await respondPlan(services, tenant, gatewayRequest, plan, headers); // 7 to 9
}

/** Runs steps 7 to 9. */
async function respondPlan(
  services: RestServices,
  tenant: Tenant,
  { trace }: GatewayRequest,
  plan: Plan,
  headers: GatewayResponse['headers'],
): Promise<GatewayResponse> {
  const { database } = tenant;
  const program = toStatements(plan, database.record.server.capabilities, services.digest); // 7
  trace.plan(plan.kind);
  trace.mark('plan');
  const judged = admitPlan(services, tenant, plan, program.first.statements);
  if (judged !== null) await judged;
  const admitNext = createNextAdmission(services, tenant, plan);
  const results = await runProgram(
    services,
    database,
    plan,
    program,
    admitNext === null ? undefined : { admitNext },
  ); // 8
  trace.mark('db');
  const nextSlice = services.scheduler.nextSliceForRows(database.record.schemaName, results);
  if (nextSlice !== null) await nextSlice;
  const created = toResponse(plan, results, services.digest); // 9
  const response =
    created.tagWith === undefined ? created : await addBodyTag(created, pauseOf(services, database));
  trace.rows(results[0]?.rowCount ?? 0);
  return headers === NO_HEADERS ? response : { ...response, headers: { ...response.headers, ...headers } };
}

function nameRoute(method: string, request: Pick<Plan, 'table'>): string {
  return `${method} /${request.table.path}${'key' in request ? '/{id}' : ''}`;
}

/** Runs steps 6 to 9 of an idempotent write. */
function prepareWrite(
  services: RestServices,
  tenant: Tenant,
  gatewayRequest: GatewayRequest,
  request: ApiRequest,
  options: PlanOptions,
): IdempotentWrite {
  const { database, view } = tenant;
  const plan = authorizePlan(planRequest(request, options), view.rights);
  const program = toStatements(plan, database.record.server.capabilities, services.digest);
  gatewayRequest.trace.plan(plan.kind);
  return {
    plans: [plan],
    run: (guard) =>
      runGuarded(
        services,
        database,
        plan,
        program,
        withAdmission(services, tenant, plan, program.first.statements, guard),
      ),
  };
}
